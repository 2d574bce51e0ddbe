import { escalationsQuery } from "../../rest/escalations.ts";
import { instancesQuery, restoring } from "../../rest/instances.ts";
import { answerBody } from "../../rest/resolution.ts";
import { escalationId, instanceId, packId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { escalation, escalationPage } from "../schemas/escalations.ts";
import { instancePage } from "../schemas/packs.ts";
import { pipelineAnswer } from "../schemas/work.ts";

const path = { escalationId: { description: "The escalation.", example: escalationId } };

export const escalationOperations: Operations = {
  "GET /v1/escalations": {
    id: "listEscalations",
    tag: "Escalations",
    summary: "List escalations, the newest first",
    access: { action: "escalation.read" },
    query: escalationsQuery,
    exampleQuery: { open: "true" },
    answers: { 200: { description: "A page.", schema: escalationPage } },
  },
  "GET /v1/escalations/:escalationId": {
    id: "getEscalation",
    tag: "Escalations",
    summary: "Read an escalation",
    access: { action: "escalation.read" },
    path,
    answers: { 200: { description: "The question, and how it ended.", schema: escalation } },
    refuses: ["NOT_FOUND"],
  },
  "POST /v1/escalations/:escalationId/resolve": {
    id: "resolveEscalation",
    tag: "Escalations",
    summary: "Answer an escalation",
    description: "A person's part: a key cannot. Each option takes its own parts beside the comment.",
    access: { action: "escalation.resolve" },
    path,
    body: {
      schema: answerBody,
      example: { option: "retry", comment: "The registry is back.", instructions: "Run the tests again." },
    },
    answers: { 200: { description: "It is answered, and on record.", schema: pipelineAnswer } },
    refuses: ["NOT_FOUND", "ALREADY_RESOLVED", "INVALID_STATE"],
    repeated: "key",
  },
  "GET /v1/instances": {
    id: "listInstances",
    tag: "Instances",
    summary: "List instances, by name",
    access: { action: "instance.read" },
    query: instancesQuery,
    exampleQuery: { packId },
    answers: { 200: { description: "A page.", schema: instancePage } },
  },
  "POST /v1/instances/:packId/:instanceId/restore": {
    id: "restoreInstance",
    tag: "Instances",
    summary: "Lift an instance's quarantine (D7)",
    description: "A person's part: a key cannot.",
    access: { action: "instance.restore" },
    path: {
      packId: { description: "Its pack.", example: packId },
      instanceId: { description: "The instance.", example: instanceId },
    },
    body: { schema: restoring, example: { note: "Its disk was full; it was emptied." } },
    answers: { 204: { description: "It may work again." } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
};
