import { durationMs } from "@bufbuild/protobuf/wkt";
import type { RetryPolicy } from "@signalbox/contracts";
import type { RetryPlan } from "./plan.ts";

/** What a template that says nothing of retries gets; zero or absent in the proto means the same. */
const defaults: RetryPlan = {
  maxAttempts: 2,
  initialBackoffMs: 1_000,
  backoffMultiplier: 2,
  maxBackoffMs: 60_000,
};

export function retryPlan(policy: RetryPolicy | undefined): RetryPlan {
  if (policy === undefined) return defaults;
  return {
    maxAttempts: policy.maxAttempts || defaults.maxAttempts,
    initialBackoffMs: policy.initialBackoff ? durationMs(policy.initialBackoff) : defaults.initialBackoffMs,
    backoffMultiplier: policy.backoffMultiplier || defaults.backoffMultiplier,
    maxBackoffMs: policy.maxBackoff ? durationMs(policy.maxBackoff) : defaults.maxBackoffMs,
  };
}

/** ATTEMPT-4: the n-th retry waits the initial backoff times the multiplier to the power n - 1, at most the longest. */
export function backoffMs(retry: RetryPlan, retriesUsed: number): number {
  const grown = retry.initialBackoffMs * retry.backoffMultiplier ** (retriesUsed - 1);
  return Math.min(retry.maxBackoffMs, Math.ceil(grown));
}
