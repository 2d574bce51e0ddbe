import { identifierLimits } from "@signalbox/core";
import { correlationId, sapTask, sapTaskId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { mcpMessage, sapAnswer, sapResult, sapTaskSchema, sapTranscript } from "../schemas/sap.ts";
import { idText } from "../schemas/ids.ts";

const path = { taskId: { description: "The task, by the id in its envelope.", example: sapTaskId } };
const headers = {
  "x-correlation-id": {
    description: "The envelope's correlationId; refused where it is another one.",
    example: correlationId,
    required: false,
  },
};
const correlated = { "x-correlation-id": "The task's correlationId." };

export const sapOperations: Operations = {
  "POST /v1/sap/tasks": {
    id: "submitSapTask",
    tag: "SAP",
    summary: "Submit a task of SAP V2.0",
    description:
      "Answered by an Ack, by a Result where the cache has one, or by a problem whose `nack` says why not, in the codes of " +
      "SAP V2.0. The policy's `sap_policy` says what a capability is and who may issue for it. Agents, the capability, the territory and " +
      `principles are named by ids: ${idText(identifierLimits.usual)}`,
    access: { action: "sap.submit" },
    headers,
    body: { schema: sapTaskSchema, example: sapTask },
    answers: {
      201: {
        description: "It is accepted.",
        schema: sapAnswer,
        headers: { ...correlated, location: "Its Result." },
      },
      200: { description: "It is answered.", schema: sapAnswer, headers: correlated },
    },
    refuses: [
      "NOT_FOUND",
      "NON_CONSTITUTIONAL",
      "UNROUTABLE",
      "DEADLINE_EXCEEDED",
      "IDEMPOTENCY_KEY_REUSED",
      "REDACTION_FAILED",
    ],
    repeated: {
      safeBecause: "the same task again is answered as it stands, and another one under its id is refused",
    },
  },
  "GET /v1/sap/tasks/:taskId": {
    id: "getSapTranscript",
    tag: "SAP",
    summary: "Read a task and all its Results, with their digests",
    description: "An agent reads what it submitted itself.",
    access: { action: "sap.read" },
    path,
    answers: {
      200: {
        description: "Append-only: nothing of it ever changes.",
        schema: sapTranscript,
        headers: correlated,
      },
    },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/sap/tasks/:taskId/result": {
    id: "getSapResult",
    tag: "SAP",
    summary: "Read a task's Result, as it stands",
    description: "Of a task that is not over it says how far it is. An agent reads what it submitted itself.",
    access: { action: "sap.read" },
    path,
    answers: { 200: { description: "A Result of SAP V2.0.", schema: sapResult, headers: correlated } },
    refuses: ["NOT_FOUND"],
  },
  "POST /mcp": {
    id: "callTool",
    tag: "MCP",
    summary: "Speak the Model Context Protocol (streamable HTTP, stateless)",
    description:
      "Tools: sap_submit_task, sap_get_result, list_packs, list_capabilities, list_escalations, resolve_escalation. A key as " +
      "bearer; each tool asks the permission table as every other way does.",
    access: "known",
    headers,
    body: { schema: mcpMessage, example: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
    answers: {
      200: { description: "JSON-RPC 2.0.", schema: mcpMessage },
      202: { description: "A notification was taken." },
    },
    refuses: ["FORBIDDEN"],
    repeated: {
      safeBecause:
        "a task is known by its id; what a tool does besides is to read, or to answer a question once",
    },
  },
};
