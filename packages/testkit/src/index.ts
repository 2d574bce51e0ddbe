export {
  createEmptyDatabase,
  createTestDatabase,
  testServerUrl,
  type TestDatabase,
} from "@signalbox/db/testing";
