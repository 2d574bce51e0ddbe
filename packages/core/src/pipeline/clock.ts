import { FailureStrategy, PipelineStatus } from "@signalbox/contracts";
import type { PipelinePlan } from "./plan.ts";
import type { Clock, PipelineState } from "./state.ts";

/** CLOCK-8: where nobody is asked what becomes of stages that fail, nobody is asked about the task's own deadline either. */
export const asksAtDeadline = ({ templateId, policy }: PipelinePlan): boolean =>
  templateId !== "" && policy.failureStrategy !== FailureStrategy.FAIL_FAST;

/**
 * CLOCK-1, CLOCK-7: when the pipeline's time is over; `null` when it has no deadline, and while its clock stands still. The
 * task's own deadline is a moment of the world and stands still for nobody: a pause only leaves it to the person who is asked.
 */
export function deadlineAt({ clock, plan, status }: PipelineState): number | null {
  const { remainingMs, runningSince, endsAt } = clock;
  if (runningSince === null) {
    return status === PipelineStatus.PAUSED && !asksAtDeadline(plan) ? endsAt : null;
  }
  if (remainingMs === null) return endsAt;
  return Math.min(runningSince + remainingMs, endsAt ?? Number.POSITIVE_INFINITY);
}

export function isPastDeadline(state: PipelineState, now: number): boolean {
  const at = deadlineAt(state);
  return at !== null && now >= at;
}

/** The task's own deadline has come, whatever the pipeline's clock says. */
export const isTaskOverdue = ({ endsAt }: Clock, now: number): boolean => endsAt !== null && endsAt <= now;

/** A `now` before the start, from a clock that was set back, costs nothing. */
export function stopClock(clock: Clock, now: number): Clock {
  const { remainingMs, runningSince } = clock;
  if (remainingMs === null || runningSince === null) return { ...clock, runningSince: null };
  return {
    ...clock,
    remainingMs: Math.max(0, remainingMs - Math.max(0, now - runningSince)),
    runningSince: null,
  };
}

export const startClock = (clock: Clock, now: number): Clock => ({
  ...clock,
  runningSince: clock.runningSince ?? now,
});

/** Stopped, with nothing left: of its own time, or of the task's. */
export const hasExpired = (clock: Clock, now: number): boolean =>
  clock.runningSince === null && (clock.remainingMs === 0 || isTaskOverdue(clock, now));

/** CLOCK-3: what is over begins anew with so much; what is not over stays as it is. */
export const extended = (clock: Clock, byMs: number, now: number): Clock => ({
  remainingMs: clock.remainingMs === 0 ? byMs : clock.remainingMs,
  runningSince: null,
  endsAt: isTaskOverdue(clock, now) ? now + byMs : clock.endsAt,
});

/** CLOCK-3: what is over holds no longer. */
export const unbounded = (clock: Clock, now: number): Clock => ({
  remainingMs: clock.remainingMs === 0 ? null : clock.remainingMs,
  runningSince: null,
  endsAt: isTaskOverdue(clock, now) ? null : clock.endsAt,
});
