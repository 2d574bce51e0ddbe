import type { Clock, PipelineState } from "./state.ts";

/** CLOCK-1: when the pipeline's time is over; `null` while its clock stands still or when it has no deadline. */
export function deadlineAt({ clock }: PipelineState): number | null {
  if (clock.remainingMs === null || clock.runningSince === null) return null;
  return clock.runningSince + clock.remainingMs;
}

export function isPastDeadline(state: PipelineState, now: number): boolean {
  const at = deadlineAt(state);
  return at !== null && now >= at;
}

/** A `now` before the start, from a clock that was set back, costs nothing. */
export function stopClock({ remainingMs, runningSince }: Clock, now: number): Clock {
  if (remainingMs === null || runningSince === null) return { remainingMs, runningSince: null };
  return { remainingMs: Math.max(0, remainingMs - Math.max(0, now - runningSince)), runningSince: null };
}

export const startClock = ({ remainingMs, runningSince }: Clock, now: number): Clock => ({
  remainingMs,
  runningSince: runningSince ?? now,
});

export const hasExpired = ({ remainingMs, runningSince }: Clock): boolean =>
  remainingMs === 0 && runningSince === null;
