export { factsOf } from "./audit.ts";
export { policyText, template } from "./documents.ts";
export { stateOf, submitTemplate } from "./pipelines.ts";
export { prepare } from "./prepare.ts";
export { sapSuite, waitForSap } from "./sap-suite.ts";
export { type SapDoorUnderTest, type SapSender, sapWorld, taskFor } from "./sap-world.ts";
export { resultFor } from "./results.ts";
export { askedBy, openNode, openTestEngine, seedTenant } from "./test-engine.ts";
