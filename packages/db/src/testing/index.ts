export { ensureTemplate } from "./template.ts";
export {
  createEmptyDatabase,
  createTestDatabase,
  testServerUrl,
  type TestDatabase,
} from "./test-database.ts";
export { startRelay } from "./relay.ts";
export { openTestDatabase } from "./open-test-database.ts";
export { findRecordFaults } from "./check-record.ts";
export { readRows } from "./read-rows.ts";
export { sampleDispatch, sampleOpenDispatch, samplePipeline, sampleStage } from "./sample-rows.ts";
