export { factsOf } from "./audit.ts";
export { policyText, template, templatesText } from "./documents.ts";
export { submitTemplate, waitForStatus } from "./pipelines.ts";
export { prepare } from "./prepare.ts";
export { askedBy, openTestEngine, packOf, type TestEngine } from "./test-engine.ts";
export { waitUntil } from "./wait-until.ts";
