import { backoffMs } from "../pipeline/retry.ts";
import type { RetryPlan } from "../pipeline/plan.ts";

/**
 * DSP-90: the wait before a retry with some of it left to chance, so that what failed together does not come back
 * together: between half and the whole of the policy's backoff. `jitter` is at least 0 and below 1.
 */
export const jitteredBackoffMs = (retry: RetryPlan, retriesUsed: number, jitter: number): number => {
  const whole = backoffMs(retry, retriesUsed);
  return whole - Math.floor((whole / 2) * jitter);
};

export type ResendDecision =
  | { readonly kind: "resend"; readonly at: number }
  | { readonly kind: "give-up"; readonly why: "attempts-used" | "deadline" };

/**
 * DSP-91 (A2A 3.2, step 5): an envelope that could not be handed over is sent again as it is: same dispatch, same
 * idempotency key. It was nobody's attempt, so it costs the stage none; when this gives up, the attempt has failed.
 * `sends` counts how often it was sent.
 */
export function decideResend(
  retry: RetryPlan,
  { sends, jitter, deadlineAt }: { sends: number; jitter: number; deadlineAt: number | undefined },
  now: number,
): ResendDecision {
  if (sends >= retry.maxAttempts) return { kind: "give-up", why: "attempts-used" };
  const at = now + jitteredBackoffMs(retry, sends, jitter);
  return deadlineAt !== undefined && at >= deadlineAt
    ? { kind: "give-up", why: "deadline" }
    : { kind: "resend", at };
}
