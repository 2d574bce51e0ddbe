export { ensureTemplate } from "./template.ts";
export {
  createEmptyDatabase,
  createTestDatabase,
  testServerUrl,
  type TestDatabase,
} from "./test-database.ts";
