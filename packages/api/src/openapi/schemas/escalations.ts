import { z } from "zod";
import { actor, pageOf, time } from "./common.ts";
import { component } from "./component.ts";

const option = z.enum([
  "retry",
  "advance",
  "rewind",
  "skip",
  "answer",
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
};

export const openEscalation = component("OpenEscalation", z.looseObject(question));

const end = z.union([
  z.strictObject({
    kind: z.literal("superseded"),
    why: z.enum(["rewound", "pipeline-ended", "attempt-ended"]),
  }),
  z.looseObject({ kind: z.literal("resolved"), option, by: actor, comment: z.string() }),
]);

export const escalation = component(
  "Escalation",
  z.looseObject({ ...question, pipelineId: z.string(), closedAt: time.nullable(), end: end.nullable() }),
);
export const escalationPage = pageOf("EscalationPage", "escalations", escalation);
