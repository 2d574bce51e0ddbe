import type { Shown } from "./attempt-queries.ts";

/** What of a pipeline's attempts the address names. Search parameters are text. */
export type AttemptSearch = {
  stage?: string;
  attempt?: string;
  view?: "turns" | "result" | "context" | "record" | undefined;
  show?: Exclude<Shown, "all"> | undefined;
  /** Where the log begins: a turn, or the first event. Without it, at the newest. */
  from?: string | undefined;
};

/** The same, before anybody has read it. */
export type AttemptAddress = { [Name in keyof AttemptSearch]?: unknown };

const oneOf = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given);
const isCount = (given: unknown): given is string => typeof given === "string" && /^\d{1,10}$/.test(given);

/** Of what an address says that which means something here; the rest is left out of it. */
export function readAttemptSearch(given: AttemptAddress): AttemptSearch {
  const { stage, attempt, view, show, from } = given;
  const knownView = oneOf(["turns", "result", "context", "record"], view);
  const knownShow = oneOf(["thoughts", "tools", "terminal"], show);
  return {
    ...(typeof stage === "string" && stage !== "" && { stage }),
    ...(isCount(attempt) && { attempt }),
    ...(knownView && { view: knownView }),
    ...(knownShow && { show: knownShow }),
    ...((from === "start" || isCount(from)) && { from }),
  };
}
