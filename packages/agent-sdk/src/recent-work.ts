import { monotonicMs } from "./wait.ts";

const minuteMs = 60_000;

/** What the last minute's work says of this instance's health. */
export function createRecentWork() {
  let ends: { readonly at: number; readonly tookMs: number; readonly failed: boolean }[] = [];
  return {
    add: (end: { readonly tookMs: number; readonly failed: boolean }): void => {
      ends.push({ at: monotonicMs(), ...end });
    },
    figures() {
      const since = monotonicMs() - minuteMs;
      ends = ends.filter(({ at }) => at >= since);
      if (ends.length === 0) return { errorRate1m: 0 };
      const failed = ends.filter((end) => end.failed).length;
      const meanMs = ends.reduce((sum, { tookMs }) => sum + tookMs, 0) / ends.length;
      return { errorRate1m: failed / ends.length, avgLatency1m: durationOf(meanMs) };
    },
  };
}

export const durationOf = (milliseconds: number) => {
  const whole = Math.round(milliseconds);
  return { seconds: BigInt(Math.floor(whole / 1_000)), nanos: (whole % 1_000) * 1_000_000 };
};
