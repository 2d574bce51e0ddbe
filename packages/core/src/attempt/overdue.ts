import type { Fence, PipelineEvent } from "../pipeline/event.ts";

/** What is known of a dispatch that is with an agent, or about to be. Times are the database's. */
export type OpenDispatch = {
  /** When its agent took the envelope; `null` while nobody has. */
  readonly handedAt: number | null;
  readonly leaseExpiresAt: number | null;
  readonly timeoutAt: number | null;
  /** When to look at it: the first of all that may end it. */
  readonly dueAt: number | null;
};

export type Overdue = Extract<
  PipelineEvent,
  { kind: "dispatch-timed-out" | "transport-failed" | "lease-lost" }
>;

/**
 * ATT-9 (A2A 3.2, step 6; D8): its time is over, nobody ever took it, or its lease was not renewed, in this order;
 * undefined for one that is not overdue, because its lease was renewed in the meantime, say.
 */
export function overdueEvent(
  { stageId, dispatchId, attemptNumber }: Fence,
  { handedAt, leaseExpiresAt, timeoutAt, dueAt }: OpenDispatch,
  now: number,
): Overdue | undefined {
  const fence = { stageId, dispatchId, attemptNumber };
  if (dueAt === null || dueAt > now) return undefined;
  if (timeoutAt !== null && timeoutAt <= now) return { kind: "dispatch-timed-out", ...fence };
  if (handedAt === null) {
    return { kind: "transport-failed", ...fence, detail: "its instance did not take it in time" };
  }
  if (leaseExpiresAt === null || leaseExpiresAt > now) return undefined;
  return { kind: "lease-lost", ...fence, leaseExpiredAt: leaseExpiresAt };
}
