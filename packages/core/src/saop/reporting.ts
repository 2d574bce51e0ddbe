import { TRAILING_MS } from "./limits.ts";

/** What is on file of a dispatch that somebody reports on. */
export type KnownDispatch = {
  readonly open: boolean;
  /** When its result was counted; null where none was. */
  readonly countedAt: number | null;
  readonly attemptNumber: number;
  /** The attempt that its stage has now. */
  readonly stageAttempt: number;
};

export type ReportingVerdict = "taken" | "stale";

/** SAOP-2, SAOP-3 (D6): whether a turn or an event is still this dispatch's to report. */
export function judgeReporting(dispatch: KnownDispatch, now: number): ReportingVerdict {
  if (dispatch.open) return "taken";
  const { countedAt, attemptNumber, stageAttempt } = dispatch;
  const trails = countedAt !== null && stageAttempt === attemptNumber && now - countedAt <= TRAILING_MS;
  return trails ? "taken" : "stale";
}
