import type { AuditEventName } from "@signalbox/api";
import type { Measured } from "./activity-queries.ts";

type Measure = Measured["measure"];
type Words = { readonly name: string; readonly events: readonly AuditEventName[] };

/** What each measure is called, and by which entries of the record it is counted. */
export const measureWords: Readonly<Record<Measure, Words>> = {
  pipelinesBegun: { name: "Pipelines begun", events: ["PIPELINE_CREATED"] },
  pipelinesCompleted: { name: "Pipelines completed", events: ["PIPELINE_COMPLETED"] },
  pipelinesFailed: { name: "Pipelines failed", events: ["PIPELINE_FAILED"] },
  pipelinesAborted: { name: "Pipelines aborted", events: ["PIPELINE_ABORTED"] },
  dispatchesSent: { name: "Dispatches sent", events: ["DISPATCH_SENT"] },
  dispatchesTimedOut: { name: "Dispatches timed out", events: ["DISPATCH_TIMEOUT"] },
  resultsInvalid: { name: "Results invalid", events: ["RESULT_INVALID"] },
  gatesPassed: { name: "Gates passed", events: ["GATE_PASSED"] },
  gatesFailed: { name: "Gates failed", events: ["GATE_FAILED", "GATE_REJECTED"] },
  questionsAsked: { name: "Escalations opened", events: ["ESCALATION"] },
  questionsAnswered: { name: "Escalations resolved", events: ["ESCALATION_RESOLVED"] },
  instancesQuarantined: { name: "Instances quarantined", events: ["AGENT_QUARANTINED"] },
};

/** Measures of which any is one too many for calm. */
const unwelcome: ReadonlySet<Measure> = new Set([
  "pipelinesFailed",
  "dispatchesTimedOut",
  "resultsInvalid",
  "gatesFailed",
  "instancesQuarantined",
]);
export const isUnwelcome = ({ measure, total }: Measured): boolean => total > 0 && unwelcome.has(measure);

export const totalInWords = ({ total, isLeast }: Pick<Measured, "total" | "isLeast">): string =>
  isLeast ? `at least ${total.toLocaleString("en")}` : total.toLocaleString("en");

export type Spans = { readonly from: number; readonly stepMs: number };

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

/** When a span begins: by the clock within a day, with the weekday beyond it. */
export const spanInWords = ({ from, stepMs }: Spans, span: number, count: number): string =>
  (count * stepMs > 86_400_000 ? day : clock).format(from + span * stepMs);

/** Where the most was, for who does not see the bars. */
export function peakInWords({ counts }: Pick<Measured, "counts">, spans: Spans): string {
  const most = Math.max(...counts);
  if (most <= 0) return "none";
  const at = counts.indexOf(most);
  return `most in one span: ${most.toLocaleString("en")}, from ${spanInWords(spans, at, counts.length)}`;
}
