import { INSTANCE_STOPPED } from "@signalbox/contracts";
import { EXECUTION } from "./span-ids.ts";
import { readSpans, type StoredSpan } from "./stored-span.ts";

export type AttemptOutcome = {
  /** As the agent said it; empty where its result could not be read. */
  readonly outcome: string;
  readonly confidence: string;
  /** What the gate said: `advance`, `ask`, `retry` …; null where the result never came before it. */
  readonly verdict: string | null;
  /** SENT-11: its instance had to stop. */
  readonly handedBack: boolean;
};

/** TRACE-11: how an attempt went, in few words, from the spans that are stored with its result. */
export function outcomeInSpans(stored: unknown, where: string): AttemptOutcome {
  const spans = readSpans(stored, where);
  const named = (wanted: string) => spans.find(({ name }) => name === wanted);
  const execution = named(EXECUTION);
  const gate = named("review_gate");
  const outcome = textOf(execution, "outcome");
  return {
    outcome,
    confidence: textOf(execution, "confidence"),
    verdict: gate === undefined ? null : textOf(gate, "verdict"),
    handedBack: outcome === "RETRYABLE_FAILURE" && textOf(execution, "failureCode") === INSTANCE_STOPPED,
  };
}

function textOf(span: StoredSpan | undefined, attribute: string): string {
  const value = span?.attributes?.[attribute];
  return typeof value === "string" ? value : "";
}
