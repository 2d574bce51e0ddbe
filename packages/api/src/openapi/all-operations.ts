import type { Operations } from "./operation.ts";
import { agentOperations } from "./operations/agents.ts";
import { documentOperations } from "./operations/documents.ts";
import { escalationOperations } from "./operations/escalations.ts";
import { identityOperations } from "./operations/identity.ts";
import { learningOperations } from "./operations/learning.ts";
import { packOperations } from "./operations/packs.ts";
import { pipelineOperations } from "./operations/pipelines.ts";
import { turnsAndEventsOperations } from "./operations/turns-and-events.ts";
import { sapOperations } from "./operations/sap.ts";
import { attachmentOperations } from "./operations/attachments.ts";
import { retentionOperations } from "./operations/retention.ts";
import { processOperations } from "./operations/process.ts";

/** What every REST route promises. A route without its entry is in no document, and a test says so. */
export const operations: Operations = {
  ...packOperations,
  ...agentOperations,
  ...pipelineOperations,
  ...sapOperations,
  ...learningOperations,
  ...attachmentOperations,
  ...turnsAndEventsOperations,
  ...escalationOperations,
  ...documentOperations,
  ...identityOperations,
  ...retentionOperations,
  ...processOperations,
};
