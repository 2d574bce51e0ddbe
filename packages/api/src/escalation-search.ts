import { type EscalationCause, timelinesses } from "@signalbox/core";
import { z } from "zod";

/** What an inbox can be narrowed to, by the names that REST and the pages share. */
const causes = [
  "dispatch-refused",
  "policy-blocked",
  "gate",
  "clarification",
  "stage-failed",
  "low-confidence",
  "deadline",
] as const satisfies readonly EscalationCause[];

export const causeParameter = z.enum(causes).optional();
export const timelinessParameter = z.enum(timelinesses).optional();
export const orderParameter = z.enum(["newest", "oldest"]).optional();

/** A member's id, or `nobody`. */
export const assigneeOf = (assignee: string | undefined): string | null | undefined =>
  assignee === "nobody" ? null : assignee;

export const assigning = z.strictObject({
  assignee: z.string().max(128).nullable().meta({ description: "A member who may answer; null lets it go." }),
  instead: z
    .string()
    .max(128)
    .nullable()
    .optional()
    .meta({ description: "Who attended to it when it was read: if that is somebody else by now, 409." }),
});
export const commenting = z.strictObject({ comment: z.string() });
