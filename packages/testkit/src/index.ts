export {
  createEmptyDatabase,
  createTestDatabase,
  openTestDatabase,
  testServerUrl,
  type TestDatabase,
} from "@signalbox/db/testing";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { buildManifest } from "./manifest.ts";
