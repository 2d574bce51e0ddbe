import type { TimeScale } from "./time-scale.ts";
import type { View } from "./time-view.ts";

/** What of a trace the address names. Search parameters are text; times are milliseconds since the trace began. */
export type TraceSearch = {
  span?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  waits?: "long" | undefined;
};

const isTime = (given: unknown): given is string =>
  typeof given === "string" && /^\d{1,12}(\.\d)?$/.test(given);

/** Of what an address says that which means something here; the rest is left out of it. */
export function readTraceSearch({ span, from, until, waits }: Record<string, unknown>): TraceSearch {
  return {
    ...(typeof span === "string" && span !== "" && { span }),
    ...(isTime(from) && isTime(until) && Number(from) < Number(until) && { from, until }),
    ...(waits === "long" && { waits }),
  };
}

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
