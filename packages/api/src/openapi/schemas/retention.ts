import { z } from "zod";
import { time } from "./common.ts";
import { component } from "./component.ts";

const months = z.int().min(12).max(1200).nullable();

export const hold = component(
  "AuditHold",
  z.strictObject({
    holdId: z.uuid(),
    reason: z.string(),
    placedBy: z.string().meta({ description: "The member." }),
    placedAt: time,
    releasedBy: z.string().nullable().meta({ description: "Null while it holds." }),
    releaseReason: z.string().nullable(),
    releasedAt: time.nullable(),
  }),
);

export const retention = component(
  "AuditRetention",
  z.strictObject({
    keepMonths: months.meta({ description: "What was said last; null for ever." }),
    monthsInForce: months.meta({ description: "What holds now: another where a shorter time is to come." }),
    takesEffectAt: time
      .nullable()
      .meta({ description: "When what was said takes effect, where it is to come." }),
    changedBy: z.string().nullable(),
    changedAt: time.nullable(),
    reason: z.string().nullable().meta({ description: "Why it was said, as it stands on the record." }),
    recordBegins: z.string().nullable().meta({ description: "The oldest entry's moment." }),
    oldest: z
      .strictObject({
        month: z.string().meta({ description: "As 2026-11." }),
        goesAt: time.nullable().meta({ description: "Null while it is kept for ever, or held." }),
      })
      .nullable(),
    holds: z.array(hold).meta({ description: "Those that hold first; at most 100." }),
  }),
);
