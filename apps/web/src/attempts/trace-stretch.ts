import type { TimeScale } from "./time-scale.ts";
import type { View } from "./time-view.ts";
import type { TraceSearch } from "./trace-search.ts";

/** A tenth of a millisecond is told apart: less than the least that is shown. */
const inText = (ms: number): string => String(Math.round(Math.max(0, ms) * 10) / 10);

export type Stretch = Pick<TraceSearch, "from" | "until">;

export const stretchOf = ({ first }: TimeScale, view: View): Stretch =>
  view === null
    ? { from: undefined, until: undefined }
    : { from: inText(view.from - first), until: inText(view.until - first) };

/** What an address shows of the time: all of it where it names none of this trace. */
export function viewAt({ first, last }: TimeScale, { from, until }: Stretch): View {
  if (from === undefined || until === undefined) return null;
  const view = { from: first + Number(from), until: Math.min(last, first + Number(until)) };
  const isAll = view.from <= first && view.until >= last;
  return isAll || view.until <= view.from ? null : view;
}
