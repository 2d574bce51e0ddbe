import { z } from "zod";

/** What people send, as REST and the pages share it; the commands judge it further. */
export const rating = z.strictObject({
  score: z
    .number()
    .optional()
    .meta({ description: "A whole number from 1, of no use, to 5, exactly right.", minimum: 1, maximum: 5 }),
  approved: z.boolean().optional().meta({ description: "Nobody approves what they submitted." }),
  note: z
    .string()
    .optional()
    .meta({ description: "What should have been otherwise; at most 2000 characters." }),
});

const reason = z.string().meta({ description: "Why; at most 2000 characters. It stands on the record." });
export const refusal = z.strictObject({ reason });
export const acceptance = z.strictObject({
  reason,
  replaces: z
    .string()
    .optional()
    .meta({ description: "The policy in force when the proposal was read: if it is another by now, 412." }),
});

export const scopes = ["fingerprint", "territory", "capability", "all"] as const;
