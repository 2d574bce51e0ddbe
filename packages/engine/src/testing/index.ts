export { factsOf } from "./audit.ts";
export { policyText, template } from "./documents.ts";
export { stateOf, submitTemplate } from "./pipelines.ts";
export { prepare } from "./prepare.ts";
export { askedBy, openTestEngine } from "./test-engine.ts";
