import { AuditEventType, Outcome, OutcomeSchema, StageStatus } from "@signalbox/contracts";
import type { Effect } from "../pipeline/effect.ts";
import type { Escalation, EscalationEnd, Resolution } from "../pipeline/escalation.ts";
import { otherRefusals, refusalOf } from "../pipeline/events/dispatch-refused.ts";
import type { AuditFact } from "../pipeline/fact.ts";
import type { CurrentDispatch, PipelineState } from "../pipeline/state.ts";
import type { MetricName, Observation } from "./metrics.ts";

/** What one transaction made of a pipeline. */
export type CommittedChange = {
  /** Undefined where it began in it. */
  readonly before: PipelineState | undefined;
  readonly after: PipelineState;
  readonly facts: readonly AuditFact[];
  readonly transitions: readonly Extract<Effect, { kind: "pipeline-transition" | "stage-transition" }>[];
  readonly opened: readonly Escalation[];
  readonly closed: readonly { readonly escalationId: string; readonly end: EscalationEnd }[];
};

/** METRIC-2: what there is to count of what was committed; the same change gives the same, whoever looks. */
export function observePipeline(change: CommittedChange, now: number): Observation[] {
  const { before, after, facts, transitions, opened, closed } = change;
  const seen: Observation[] = [];
  const see = (metric: MetricName, labels: Observation["labels"], value = 1): void =>
    void seen.push({ metric, labels, value });
  const ofTemplate = { template_id: after.plan.templateId };
  let waitsForFirst = !wasEverSent(before);
  for (const fact of facts) {
    if (fact.action === "dispatch.sent" && waitsForFirst) {
      waitsForFirst = false;
      see(
        "a2a_dispatch_time_to_first_dispatch_seconds",
        dispatchLabels(change, fact),
        since(after.startedAt, now),
      );
    }
    observeDispatch(change, fact, now, see);
    observeGate(fact, see);
    if (fact.action === "pipeline.created") see("a2a_pipeline_total", ofTemplate);
    if (deadlineBreaches.has(fact.action)) see("a2a_pipeline_deadline_breach_total", ofTemplate);
    const ended = ends[fact.action];
    if (ended === undefined) continue;
    see(ended, ofTemplate);
    see("a2a_pipeline_duration_seconds", ofTemplate, since(after.startedAt, now));
    see("a2a_pipeline_rejections", ofTemplate, after.rejectionsUsed);
    if (ended === "a2a_pipeline_completed_total")
      see("a2a_pipeline_time_to_resolution_seconds", ofTemplate, since(after.startedAt, now));
  }
  for (const one of transitions)
    if (one.kind === "stage-transition" && one.to === StageStatus.SKIPPED && !isRequired(after, one.stageId))
      see("a2a_pipeline_stages_skipped_total", ofTemplate);
  for (const escalation of opened) {
    see("a2a_escalation_total", { cause: escalation.cause });
    observeAsked(escalation, see);
  }
  for (const { escalationId, end } of closed) {
    const open = [...(before?.escalations ?? []), ...opened].find((one) => one.escalationId === escalationId);
    if (end.kind !== "resolved" || open === undefined) continue;
    see("a2a_escalation_resolution_time_seconds", { cause: open.cause }, since(open.openedAt, now));
    observeAnswer(open, end.resolution.option, see);
  }
  return seen;
}

type See = (metric: MetricName, labels: Observation["labels"], value?: number) => void;

const deadlineBreaches: ReadonlySet<AuditFact["action"]> = new Set([
  "pipeline.paused-on-deadline",
  "pipeline.failed-on-deadline",
]);

const ends: Readonly<Partial<Record<AuditFact["action"], MetricName>>> = {
  "pipeline.completed": "a2a_pipeline_completed_total",
  "pipeline.failed": "a2a_pipeline_failed_total",
  "pipeline.failed-on-deadline": "a2a_pipeline_failed_total",
  "pipeline.aborted": "a2a_pipeline_failed_total",
};

/** A clock that was set back shows nothing below nothing. */
const since = (from: number, now: number): number => Math.max(0, now - from) / 1_000;

const isRequired = ({ plan }: PipelineState, stageId: string): boolean =>
  plan.stages.find((stage) => stage.stageId === stageId)?.required === true;

const wasEverSent = (before: PipelineState | undefined): boolean =>
  before?.stages.some(
    ({ attemptNumber, dispatch, result }) => attemptNumber > 1 || dispatch !== null || result !== null,
  ) ?? false;

function observeDispatch(change: CommittedChange, fact: AuditFact, now: number, see: See): void {
  const { action } = fact;
  if (action === "dispatch.sent") see("a2a_dispatch_total", dispatchLabels(change, fact));
  if (fact.eventType === AuditEventType.DISPATCH_TIMEOUT)
    see("a2a_dispatch_timeout_total", dispatchLabels(change, fact));
  const refusal = refusalOf(fact);
  if (refusal !== undefined && !otherRefusals.includes(refusal))
    see("a2a_dispatch_no_candidates_total", { task_type: taskTypeOf(change, fact) });
  if (endsWithoutResult.has(action))
    see("a2a_dispatch_outcome", { ...dispatchLabels(change, fact), outcome: RETRYABLE });
  if (action === "result.received") observeResult(change, fact, now, see);
}

/** 3.2, steps 5 to 7: what does not reach its agent, is lost, or is answered with what is no result is a RETRYABLE_FAILURE. */
const endsWithoutResult: ReadonlySet<AuditFact["action"]> = new Set([
  "dispatch.transport-failed",
  "dispatch.timed-out",
  "dispatch.lease-lost",
  "dispatch.agent-failed",
  "result.invalid",
]);

function observeResult(change: CommittedChange, fact: AuditFact, now: number, see: See): void {
  const labels = dispatchLabels(change, fact);
  const sent = dispatchOf(change, fact);
  const outcome = fact.snapshot?.case === "result" ? fact.snapshot.value.outcome : undefined;
  see("a2a_dispatch_outcome", { ...labels, outcome: outcomeClass(outcome) });
  if (sent !== undefined) see("a2a_dispatch_latency_seconds", labels, since(sent.sentAt, now));
  if (outcome === Outcome.SUCCESS) see("a2a_dispatch_attempts", labels, fact.attemptNumber);
}

/** "non_retryable", as the alerts of 5.6 name it. */
function outcomeClass(outcome: Outcome | undefined): string {
  const name = OutcomeSchema.values.find(({ number }) => number === outcome)?.name ?? "";
  return name.replace("OUTCOME_", "").replace("_FAILURE", "").toLowerCase() || "unspecified";
}

const RETRYABLE = outcomeClass(Outcome.RETRYABLE_FAILURE);

/** Beside its checks the gate as a whole: what it rejects, or sends back, may be what every check lets pass. */
const VERDICT = "verdict";

function observeGate({ action, eventType, snapshot, attemptNumber }: AuditFact, see: See): void {
  // A person's rewind has a gate's form, and is none; what a person let through was counted when they were asked.
  if (snapshot?.case !== "gate" || eventType === AuditEventType.STAGE_REWOUND) return;
  if (action === "gate.passed-by-person") return;
  const { tier = "", checks = [] } = snapshot.value;
  const rejected = eventType === AuditEventType.GATE_REJECTED;
  const whole = { gateName: VERDICT, passed: eventType === AuditEventType.GATE_PASSED };
  for (const check of [...checks, whole]) observeCheck(check, { tier, attemptNumber, rejected }, see);
}

type Checked = { readonly tier: string; readonly attemptNumber: number; readonly rejected: boolean };

function observeCheck(
  { gateName = "", passed = false }: { readonly gateName?: string; readonly passed?: boolean },
  { tier, attemptNumber, rejected }: Checked,
  see: See,
): void {
  const labels = { tier, gate_name: gateName };
  see("a2a_gate_total", labels);
  if (passed && attemptNumber <= 1) see("a2a_gate_passed_total", labels);
  if (!passed) see(rejected ? "a2a_gate_rejected_total" : "a2a_gate_failed_total", labels);
}

/** A gate that leaves it to a person has made its checks; the verdict is the person's. */
function observeAsked({ gate, attemptNumber }: Escalation, see: See): void {
  for (const check of gate?.checks ?? [])
    observeCheck(check, { tier: gate?.tier ?? "", attemptNumber, rejected: false }, see);
}

function observeAnswer({ gate, attemptNumber }: Escalation, option: Resolution["option"], see: See): void {
  if (gate === null) return;
  const verdict = { gateName: VERDICT, passed: option === "advance" };
  observeCheck(verdict, { tier: gate.tier ?? "", attemptNumber, rejected: option === "rewind" }, see);
}

const indexOf = ({ after }: CommittedChange, { stageId }: AuditFact): number =>
  after.plan.stages.findIndex((stage) => stage.stageId === stageId);

/** The task type that the stage had when it was sent: a handoff may change it in the same change. */
function taskTypeOf(change: CommittedChange, fact: AuditFact): string {
  const index = indexOf(change, fact);
  const when = fact.action === "dispatch.sent" ? change.after : (change.before ?? change.after);
  const state = when.stages[index];
  return state?.reroute?.taskType ?? change.after.plan.stages[index]?.taskType ?? "";
}

function dispatchOf(change: CommittedChange, fact: AuditFact): CurrentDispatch | undefined {
  const index = indexOf(change, fact);
  const known = [change.before?.stages[index]?.dispatch, change.after.stages[index]?.dispatch];
  return known.find((one) => one?.dispatchId === fact.dispatchId) ?? undefined;
}

const dispatchLabels = (change: CommittedChange, fact: AuditFact) => ({
  pack_id: fact.packId ?? dispatchOf(change, fact)?.packId ?? "",
  task_type: taskTypeOf(change, fact),
});
