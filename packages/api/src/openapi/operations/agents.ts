import { AgentHeartbeatSchema, AgentResultSchema, LeaseRequestSchema } from "@signalbox/contracts";
import { dispatchId, handoff, heartbeat, instanceId, packId, result } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { heartbeatAnswer } from "../schemas/packs.ts";
import { handoffAnswer, handoffWish, leaseAnswer, receipt, renewal } from "../schemas/work.ts";

const path = { dispatchId: { description: "The dispatch, as its envelope names it.", example: dispatchId } };

export const agentOperations: Operations = {
  "POST /v1/heartbeats": {
    id: "heartbeat",
    tag: "Agents",
    summary: "Say that an instance is there, and how it is",
    access: { action: "instance.heartbeat" },
    body: { schema: AgentHeartbeatSchema, example: heartbeat },
    answers: {
      200: { description: "Until when it is known, and what it should stop.", schema: heartbeatAnswer },
    },
    repeated: { safeBecause: "the latest heartbeat is all that is kept" },
  },
  "POST /v1/leases": {
    id: "lease",
    tag: "Agents",
    summary: "Take work, and renew what is at hand",
    description:
      "Waits up to `waitSeconds` for work. What was lost before it arrived is sent again by itself.",
    access: { action: "dispatch.lease" },
    body: {
      schema: LeaseRequestSchema,
      example: { packId, instanceId, maxTasks: 1, waitSeconds: 1 },
    },
    answers: { 200: { description: "Envelopes, or none.", schema: leaseAnswer } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: { safeBecause: "an envelope whose answer was lost is not renewed and so sent anew" },
  },
  "POST /v1/dispatches/:dispatchId/renew": {
    id: "renewDispatch",
    tag: "Agents",
    summary: "Keep a dispatch a while longer",
    access: { action: "dispatch.renew" },
    path,
    answers: { 200: { description: "Until when it is the agent's.", schema: renewal } },
    refuses: ["NOT_FOUND", "STALE_DISPATCH"],
    repeated: { safeBecause: "a second renewal counts from its own moment" },
  },
  "POST /v1/dispatches/:dispatchId/handoffs": {
    id: "requestHandoff",
    tag: "Agents",
    summary: "Ask that another go on with a dispatch's stage",
    description:
      "The routing policy's `handoffs` say who may ask for what. Approved, the dispatch is over and its stage is sent to the " +
      "other, outside the retry budget; refused, `reason` says why and the dispatch goes on. `attempt` is the path's and may be left out.",
    access: { action: "dispatch.report" },
    path,
    body: { schema: handoffWish, example: handoff },
    answers: { 200: { description: "What was decided.", schema: handoffAnswer } },
    refuses: ["NOT_FOUND", "STALE_DISPATCH", "REDACTION_FAILED"],
    repeated: "key",
  },
  "POST /v1/dispatches/:dispatchId/result": {
    id: "reportResult",
    tag: "Agents",
    summary: "Report what came of a dispatch",
    access: { action: "dispatch.report" },
    path,
    body: { schema: AgentResultSchema, example: result },
    answers: { 200: { description: "It is on record.", schema: receipt } },
    refuses: ["NOT_FOUND", "STALE_DISPATCH", "REDACTION_FAILED"],
    repeated: { safeBecause: "the same result again is answered as the first time (D6)" },
  },
};
