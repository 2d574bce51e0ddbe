import { eventsQuery, turnsQuery } from "../../rest/pipelines.ts";
import { dispatchId, events, pipelineId, turn } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { eventBatch, eventPage, turnEnvelope, turnPage } from "../schemas/turns-and-events.ts";
import { receipt } from "../schemas/work.ts";

const ofDispatch = {
  dispatchId: { description: "The dispatch, as its envelope names it.", example: dispatchId },
};
const ofPipeline = { pipelineId: { description: "The pipeline.", example: pipelineId } };

export const turnsAndEventsOperations: Operations = {
  "POST /v1/dispatches/:dispatchId/turns": {
    id: "reportTurn",
    tag: "Agents",
    summary: "Report a turn of an attempt",
    description: "Kept verbatim but for its secrets, which are masked and marked (D16).",
    access: { action: "dispatch.report" },
    path: ofDispatch,
    body: { schema: turnEnvelope, example: turn },
    answers: { 200: { description: "It is kept.", schema: receipt } },
    refuses: ["NOT_FOUND", "STALE_DISPATCH", "IDEMPOTENCY_KEY_REUSED", "REDACTION_FAILED"],
    repeated: { safeBecause: "the same turn again is answered as the first time" },
  },
  "POST /v1/dispatches/:dispatchId/events": {
    id: "reportEvents",
    tag: "Agents",
    summary: "Report events of an attempt",
    description:
      "A batch is kept whole or not at all. `sequence` counts a turn's events from 0 without a gap; a chunk or a line is " +
      "shown once all before it have come, for a secret may be cut between them.",
    access: { action: "dispatch.report" },
    path: ofDispatch,
    body: { schema: eventBatch, example: { events } },
    answers: { 200: { description: "They are kept.", schema: receipt } },
    refuses: ["NOT_FOUND", "STALE_DISPATCH", "IDEMPOTENCY_KEY_REUSED", "REDACTION_FAILED"],
    repeated: { safeBecause: "an event whose id is known is passed over" },
  },
  "GET /v1/pipelines/:pipelineId/turns": {
    id: "listTurns",
    tag: "Pipelines",
    summary: "List a pipeline's turns",
    description: "By stage, attempt and turn, whatever order they came in.",
    access: { action: "trace.read" },
    path: ofPipeline,
    query: turnsQuery,
    exampleQuery: { stageId: "task" },
    answers: { 200: { description: "A page.", schema: turnPage } },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/pipelines/:pipelineId/events": {
    id: "listEvents",
    tag: "Pipelines",
    summary: "List a pipeline's events",
    description:
      "Session by session: the orchestrator's transitions first, then each attempt's by stage, attempt, turn and sequence.",
    access: { action: "trace.read" },
    path: ofPipeline,
    query: eventsQuery,
    exampleQuery: { type: "TASK_TRANSITION" },
    answers: { 200: { description: "A page.", schema: eventPage } },
    refuses: ["NOT_FOUND"],
  },
};
