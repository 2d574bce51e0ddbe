import { durationText } from "../output/moment-text.ts";
import type { Column } from "../output/table.ts";

type Times = { runs: number; failures: number; totalMs: number; longestMs: number };
export type TimesRow = Times & { readonly packId: string };

/** A2A 5.7: a session counts in memory, and prints it at its end. Programs run one at a time, so one clock does. */
export function programTimes(now: () => number) {
  const byPack = new Map<string, Times>();
  let begunAt: number | undefined;
  return {
    begun(): void {
      begunAt = now();
    },
    ended(packId: string, failed: boolean): void {
      const times = byPack.get(packId) ?? { runs: 0, failures: 0, totalMs: 0, longestMs: 0 };
      const took = begunAt === undefined ? 0 : now() - begunAt;
      begunAt = undefined;
      times.runs += 1;
      times.failures += failed ? 1 : 0;
      times.totalMs += took;
      times.longestMs = Math.max(times.longestMs, took);
      byPack.set(packId, times);
    },
    rows: (): TimesRow[] => [...byPack].map(([packId, times]) => Object.assign({ packId }, times)),
  };
}

export const timesColumns: readonly Column<TimesRow>[] = [
  { title: "PACK", value: ({ packId }) => packId, whole: true },
  { title: "RUNS", value: ({ runs }) => runs },
  {
    title: "FAILED",
    value: ({ failures }) => failures,
    tone: ({ failures }) => (failures > 0 ? "bad" : undefined),
  },
  { title: "TOOK", value: ({ totalMs }) => durationText(totalMs) },
  { title: "LONGEST", value: ({ longestMs }) => durationText(longestMs) },
];
