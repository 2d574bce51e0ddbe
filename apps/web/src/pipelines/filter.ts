import { searchWords } from "../search-text.ts";
import type { PipelineSearch } from "./pipeline-queries.ts";

export const filterStatuses = ["RUNNING", "PAUSED", "COMPLETED", "FAILED", "ABORTED"] as const;
export type FilterStatus = (typeof filterStatuses)[number];

/** Time as people ask for it; the URL keeps the question and not the moment at which it was asked. */
const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
export type Since = keyof typeof spans;
export const sinceOptions = ["hour", "day", "week"] as const;

export type Filter = { status?: FilterStatus; pack?: string; q?: string; since?: Since };

const oneOf = <Value extends string>(allowed: readonly Value[], given: unknown): Value | undefined =>
  allowed.find((value) => value === given);

/** What the URL says. What it says wrongly is left out: a link that somebody typed still leads somewhere. */
export function readFilter(search: Record<string, unknown>): Filter {
  const status = oneOf(filterStatuses, search["status"]);
  const since = oneOf(sinceOptions, search["since"]);
  const pack = searchWords(search["pack"]);
  const q = searchWords(search["q"]);
  return {
    ...(status !== undefined && { status }),
    ...(pack !== undefined && { pack }),
    ...(q !== undefined && { q }),
    ...(since !== undefined && { since }),
  };
}

/** By the minute: the same list is the same question, for as long as somebody looks at it. */
export function searchOf({ status, pack, q, since }: Filter, now: number): PipelineSearch {
  const from = since === undefined ? undefined : now - spans[since];
  return {
    ...(status !== undefined && { status }),
    ...(pack !== undefined && { packId: pack }),
    ...(q !== undefined && { q }),
    ...(from !== undefined && { from: new Date(from - (from % 60_000)).toISOString() }),
  };
}
