import type { JsonObject } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { type AgentResult, ConfidenceSchema, OutcomeSchema, RiskTierSchema } from "@signalbox/contracts";
import type { InvalidReason, ResultCheck } from "../dispatch/check-result.ts";
import type { GateDecision } from "../gate/judge-result.ts";
import { EXECUTION } from "./span-ids.ts";
import { span, type StoredSpan } from "./stored-span.ts";

export type ReportedAttempt = {
  /** `null`: it could not even be read. */
  readonly result: AgentResult | null;
  readonly check: ResultCheck;
  /** `null`: it never came before the gate. */
  readonly gate: GateDecision | null;
  readonly sentAt: number;
  readonly receivedAt: number;
};

/** Which of the three checks of 5.1 a fault belongs to. */
const checkOf = {
  schema: "schema_check",
  "schema-version": "schema_check",
  trace: "trace_match",
  dispatch: "dispatch_match",
  "dispatch-missing": "dispatch_match",
  attempt: "dispatch_match",
} as const satisfies Record<InvalidReason, string>;
const checks = ["schema_check", "trace_match", "dispatch_match"] as const;

/** TRACE-5 (A2A 5.1): the agent's work as it was seen from here, and how its result was judged. */
export function resultSpans(reported: ReportedAttempt): StoredSpan[] {
  const { gate, receivedAt } = reported;
  return [
    executionSpan(reported),
    validationSpan(reported),
    ...(gate === null ? [] : [gateSpan(gate, receivedAt)]),
  ];
}

function executionSpan({ result, sentAt, receivedAt }: ReportedAttempt): StoredSpan {
  const ms = Math.max(0, receivedAt - sentAt);
  if (result === null) return span(EXECUTION, sentAt, { ms, failed: true });
  const { status, timing, trace, evidence, artifacts } = result;
  const attributes: JsonObject = {
    outcome: OutcomeSchema.value[status?.outcome ?? 0]?.localName ?? "",
    confidence: ConfidenceSchema.value[status?.confidence ?? 0]?.localName ?? "",
    artifacts: artifacts.length,
  };
  if (status?.failureCode) attributes["failureCode"] = status.failureCode;
  // The agent's own clock may be wrong (D19), so its times only stand beside what was measured here.
  if (timing?.duration !== undefined) attributes["claimedMs"] = durationMs(timing.duration);
  if (trace?.spanId) attributes["agentSpanId"] = trace.spanId;
  const payload = evidence?.evidencePayload;
  return span(EXECUTION, sentAt, {
    ms,
    attributes,
    children: [
      span("evidence_collection", receivedAt, {
        attributes: {
          mode: payload?.case ?? "none",
          items: payload?.case === "items" ? payload.value.items.length : 0,
        },
      }),
    ],
  });
}

function validationSpan({ check, receivedAt }: ReportedAttempt): StoredSpan {
  const faults = check.kind === "invalid" ? check.faults : [];
  const failed = check.kind !== "valid";
  return span("result_validation", receivedAt, {
    failed,
    attributes: { verdict: check.kind, ...(check.kind === "stale" && { why: check.message }) },
    children: checks.map((name) => {
      const own = faults.length === 0 ? faults : faults.filter(({ reason }) => checkOf[reason] === name);
      const stale = check.kind === "stale" && name === "dispatch_match";
      return span(name, receivedAt, {
        failed: own.length > 0 || stale,
        ...(own.length > 0 && { attributes: { faults: own.length, first: own[0]?.reason ?? "" } }),
      });
    }),
  });
}

function gateSpan({ checks: judged, tier, judgement, askedBecause }: GateDecision, at: number): StoredSpan {
  const failing = judged.flatMap(({ name, passed }) => (passed ? [] : name));
  const verdict = judgement?.verdict ?? "none";
  return span("review_gate", at, {
    failed: verdict !== "advance",
    attributes: { verdict },
    children: [
      span("minimum_gate_checks", at, {
        failed: failing.length > 0,
        attributes: { passed: judged.length - failing.length, failed: failing },
      }),
      span("tier_review", at, {
        failed: askedBecause.length > 0,
        attributes: { tier: RiskTierSchema.value[tier]?.localName ?? "", askedBecause: [...askedBecause] },
      }),
    ],
  });
}
