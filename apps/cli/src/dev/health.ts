/** A2A 3.1: a dev session makes up how its instances are from how their programs end. */
export type ProgramRecord = {
  readonly failures: number;
  readonly runs: number;
  readonly failedAt: number | undefined;
};

export const unused: ProgramRecord = { failures: 0, runs: 0, failedAt: undefined };

/** After a failure it is DEGRADED for so long: one instance a pack, so nobody else could take the retry. */
export const DEGRADED_MS = 5_000;

export const ended = ({ failures, runs }: ProgramRecord, failed: boolean, now: number): ProgramRecord => ({
  runs: runs + 1,
  failures: failed ? failures + 1 : failures,
  failedAt: failed ? now : undefined,
});

export const isDegraded = ({ failedAt }: ProgramRecord, now: number): boolean =>
  failedAt !== undefined && now - failedAt < DEGRADED_MS;

export const errorRate = ({ failures, runs }: ProgramRecord): number => (runs === 0 ? 0 : failures / runs);
