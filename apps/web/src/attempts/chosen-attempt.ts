import type { AttemptSearch } from "./attempt-search.ts";

export const views = [
  { view: undefined, name: "Work" },
  { view: "turns", name: "Turns" },
  { view: "result", name: "Result and gate" },
  { view: "context", name: "Envelope and context" },
  { view: "record", name: "Record" },
] as const satisfies readonly { view: AttemptSearch["view"]; name: string }[];

type Named = { readonly stageId: string; readonly attemptNumber: number; readonly sentAt: string };

/** The one that is named; of a stage its latest, and of all of them the latest that was sent. */
export function chosenAttempt<Attempt extends Named>(
  attempts: readonly Attempt[],
  { stage, attempt }: AttemptSearch,
): Attempt | undefined {
  const fitting = attempts.filter(
    ({ stageId, attemptNumber }) =>
      (stage === undefined || stageId === stage) &&
      (attempt === undefined || stage === undefined || String(attemptNumber) === attempt),
  );
  return fitting.reduce<Attempt | undefined>(
    (latest, one) =>
      latest === undefined || Date.parse(one.sentAt) >= Date.parse(latest.sentAt) ? one : latest,
    undefined,
  );
}
