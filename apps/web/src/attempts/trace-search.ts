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
