import { z } from "zod";
import { actor, pageOf, time } from "./common.ts";
import { component } from "./component.ts";

const option = z.enum([
  "retry",
  "advance",
  "rewind",
  "skip",
  "answer",
  "accept",
  "restore",
  "extend",
  "resume",
  "abort",
]);

const question = {
  escalationId: z.string(),
  cause: z.enum([
    "dispatch-refused",
    "policy-blocked",
    "gate",
    "clarification",
    "stage-failed",
    "low-confidence",
    "deadline",
  ]),
  stageId: z.string().nullable().meta({ description: "Null where it concerns the pipeline as a whole." }),
  attemptNumber: z.int().min(0),
  problem: z.string(),
  impact: z.string(),
  options: z.array(option),
  recommended: option,
  blocking: z.boolean(),
  onTimeout: z.literal("stays-open"),
  openedAt: time,
  gate: z.looseObject({}).nullable().meta({ description: "What the gate found." }),
  quarantined: z.strictObject({ packId: z.string(), instanceId: z.string() }).nullable(),
  staleRefs: z.array(z.strictObject({ uriOrLocator: z.string(), digest: z.string() })).meta({
    description: "The references that stand against sending; `accept` lets them travel as they are.",
  }),
};

export const openEscalation = component("OpenEscalation", z.looseObject(question));

const end = z.union([
  z.strictObject({
    kind: z.literal("superseded"),
    why: z.enum(["rewound", "pipeline-ended", "attempt-ended"]),
  }),
  z.looseObject({ kind: z.literal("resolved"), option, by: actor, comment: z.string() }),
]);

const attended = {
  ...question,
  pipelineId: z.string(),
  sourceTaskId: z
    .string()
    .nullable()
    .meta({ description: "The task's id, as whoever submitted it knows it." }),
  taskTitle: z
    .string()
    .nullable()
    .meta({ description: "The task's title on one line, cut at 500 characters." }),
  taskType: z.string().nullable(),
  packId: z.string().nullable().meta({ description: "Whose attempt it is about." }),
  assigneeId: z.string().nullable().meta({ description: "The member who attends to it." }),
  assignedAt: time.nullable(),
  answerSoonAt: time,
  answerDueAt: time.meta({ description: "30 minutes after it was opened; later it is late." }),
  closedAt: time.nullable(),
  end: end.nullable(),
};

const escalation = component("Escalation", z.looseObject(attended));
export const escalationPage = pageOf("EscalationPage", "escalations", escalation);

export const escalationComment = component(
  "EscalationComment",
  z.strictObject({ number: z.int().min(1), authorId: z.string(), text: z.string(), createdAt: time }),
);
export const escalationInFull = component(
  "EscalationInFull",
  z.looseObject({
    ...attended,
    comments: z.array(escalationComment),
    like: z
      .array(escalation)
      .meta({ description: "The latest that were closed, of the same cause and task type." }),
  }),
);

const alert = component(
  "Alert",
  z.strictObject({
    alertId: z.string(),
    alert: z.string().meta({ description: "What kind it is, such as `redaction-blocked`." }),
    detail: z.string(),
    pipelineId: z.string().nullable(),
    raisedAt: time,
  }),
);

const alertCondition = component(
  "AlertCondition",
  z.strictObject({
    alert: z.enum([
      "escalation-backlog",
      "no-candidates",
      "pack-out-of-service",
      "escalations-answered-late",
      "breaker-open",
    ]),
    severity: z.enum(["SEV2", "SEV3"]),
    detail: z.string(),
    packId: z.string().nullable(),
    holdsFrom: time.nullable().meta({
      description:
        "It holds from then on; a time to come: unless somebody does something. Null: nobody knows since when.",
    }),
  }),
);

export const alertPage = component(
  "AlertPage",
  z.strictObject({
    alerts: z.array(alert),
    conditions: z.array(alertCondition).optional().meta({
      description: "What holds now, or soon will, the gravest first; with the first page alone.",
    }),
    nextCursor: z.string().optional().meta({ description: "There is more: the `cursor` of the next page." }),
  }),
);
