import { redactionRules } from "@signalbox/core";
import { readRedaction, redactedKinds, tryRedaction } from "@signalbox/engine";
import { z } from "zod";
import { inOurWords, procedure, router } from "./procedures.ts";

const trial = z.strictObject({ text: z.string(), kind: z.enum(redactedKinds) });

export const redactionRouter = router({
  inForce: procedure.query(async ({ ctx }) => {
    const { policyVersion, says, policy } = await readRedaction(ctx.transport.system, ctx.asked);
    return {
      policyVersion: policyVersion ?? null,
      says,
      alwaysRedact: policy.always_redact,
      conditionalRedact: policy.conditional_redact.map(({ field, rule, max_length }) => ({
        field,
        rule,
        maxLength: max_length ?? null,
      })),
      rules: redactionRules,
    };
  }),
  /** A mutation, though it changes nothing: a query's input travels in the URL, which logs and histories keep. */
  try: procedure
    .input(inOurWords(trial))
    .mutation(({ ctx, input }) => tryRedaction(ctx.transport.system, ctx.asked, input)),
});
