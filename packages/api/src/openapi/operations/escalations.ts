import { alertsQuery } from "../../rest/alerts.ts";
import { assigning, commenting } from "../../escalation-search.ts";
import { escalationsQuery } from "../../rest/escalations.ts";
import { draining, instancesQuery, quarantining, restoring, resuming } from "../../rest/instances.ts";
import { answerBody } from "../../rest/resolution.ts";
import { escalationId, instanceId, memberId, packId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { alertPage, escalationComment, escalationInFull, escalationPage } from "../schemas/escalations.ts";
import { instance, instancePage } from "../schemas/packs.ts";
import { pipelineAnswer } from "../schemas/work.ts";

const path = { escalationId: { description: "The escalation.", example: escalationId } };

const ofInstance = {
  packId: { description: "Its pack.", example: packId },
  instanceId: { description: "The instance.", example: instanceId },
};

export const escalationOperations: Operations = {
  "GET /v1/escalations": {
    id: "listEscalations",
    tag: "Escalations",
    summary: "List escalations, the newest first or the oldest",
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
    answers: { 200: { description: "The question, and how it ended.", schema: escalationInFull } },
    refuses: ["NOT_FOUND"],
  },
  "POST /v1/escalations/:escalationId/assign": {
    id: "assignEscalation",
    tag: "Escalations",
    summary: "Take an escalation, hand it on, or let it go",
    description: "A person's part: a key cannot. It binds nobody: whoever may answer the question still may.",
    access: { action: "escalation.assign" },
    path,
    body: { schema: assigning, example: { assignee: memberId } },
    answers: { 204: { description: "It is so." } },
    refuses: ["NOT_FOUND", "ALREADY_RESOLVED", "INVALID_STATE"],
    repeated: "key",
  },
  "POST /v1/escalations/:escalationId/comment": {
    id: "commentOnEscalation",
    tag: "Escalations",
    summary: "Comment on an escalation",
    description: "A person's part: a key cannot. Secrets are masked, and the record keeps the comment.",
    access: { action: "escalation.comment" },
    path,
    body: { schema: commenting, example: { comment: "I have asked the team that owns the registry." } },
    answers: { 201: { description: "The comment, as it is kept.", schema: escalationComment } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
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
  "GET /v1/instances/:packId/:instanceId": {
    id: "getInstance",
    tag: "Instances",
    summary: "Read an instance",
    access: { action: "instance.read" },
    path: ofInstance,
    answers: { 200: { description: "The instance, as it is now.", schema: instance } },
    refuses: ["NOT_FOUND"],
  },
  "POST /v1/instances/:packId/:instanceId/restore": {
    id: "restoreInstance",
    tag: "Instances",
    summary: "Lift an instance's quarantine (D7)",
    description: "A person's part: a key cannot.",
    access: { action: "instance.restore" },
    path: ofInstance,
    body: { schema: restoring, example: { note: "Its disk was full; it was emptied." } },
    answers: { 204: { description: "It may work again." } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
  "POST /v1/instances/:packId/:instanceId/quarantine": {
    id: "quarantineInstance",
    tag: "Instances",
    summary: "Keep new work from an instance",
    description: "A person's part: a key cannot. What it has under way it may finish.",
    access: { action: "instance.quarantine" },
    path: ofInstance,
    body: { schema: quarantining, example: { note: "Its disk is full." } },
    answers: { 204: { description: "It is sent nothing until somebody restores it." } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
  "POST /v1/instances/:packId/:instanceId/drain": {
    id: "drainInstance",
    tag: "Instances",
    summary: "Ask an instance to finish what it has and take no more",
    description:
      "Its next heartbeat is answered with `drain`. Nothing new is sent to it meanwhile, whether it listens or not.",
    access: { action: "instance.drain" },
    path: ofInstance,
    body: { schema: draining, example: { note: "Its machine is replaced tonight." } },
    answers: { 204: { description: "It is sent nothing new until somebody lets it resume." } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
  "POST /v1/instances/:packId/:instanceId/resume": {
    id: "resumeInstance",
    tag: "Instances",
    summary: "Give a draining instance work again",
    access: { action: "instance.resume" },
    path: ofInstance,
    body: { schema: resuming, example: { note: "The machine stays." } },
    answers: { 204: { description: "It may be sent work again, and its next heartbeat says so." } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
  "GET /v1/alerts": {
    id: "listAlerts",
    tag: "Alerts",
    summary: "List alerts, the latest first, and what calls for somebody's eye now",
    description:
      "`alerts` is what the stream's topic `alerts` told, for as long as the feed keeps it (30 days). `conditions` is what holds at the moment of asking.",
    access: { action: "alert.read" },
    query: alertsQuery,
    answers: { 200: { description: "A page.", schema: alertPage } },
  },
};
