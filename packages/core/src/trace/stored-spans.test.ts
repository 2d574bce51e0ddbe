import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import {
  Confidence,
  ContextLevel,
  ContextPropagationMode,
  EvidenceType,
  Outcome,
  RefFreshnessCheckSchema,
  RiskTier,
} from "@signalbox/contracts";
import { expect, test } from "vitest";
import type { ResultCheck } from "../dispatch/check-result.ts";
import { explainDispatch } from "../dispatch/explain-dispatch.ts";
import { compileSnapshot } from "../dispatch/snapshot.ts";
import {
  instance,
  manifest,
  NOW,
  orchestrator,
  policy,
  request,
  route,
} from "../dispatch/testing/registry.ts";
import { judgeResult } from "../gate/judge-result.ts";
import { aGate, aResult, failed } from "../gate/testing/gate-input.ts";
import { dispatchSpans } from "./dispatch-spans.ts";
import { resultSpans } from "./result-spans.ts";
import { readSpans } from "./stored-span.ts";

const rules = policy([route("build", ["a", "b"], { fallbackPackId: "f" })]);
const facts = { packs: [manifest("a"), manifest("b")], instances: [instance("b", "7")] };
const explain = (asked = request({ queueDepth: 3 })) =>
  explainDispatch(compileSnapshot(rules, orchestrator, facts), asked, NOW);
const decision = (explanation = explain()) =>
  dispatchSpans({
    explanation,
    sentAt: NOW + 4,
    contextLevel: ContextLevel.LAYERED,
    propagationMode: ContextPropagationMode.CUMULATIVE,
    refFreshness: [
      create(RefFreshnessCheckSchema, { wasStale: true, refreshSucceeded: true }),
      create(RefFreshnessCheckSchema, { wasStale: true, dispatchedWithDegraded: true }),
      create(RefFreshnessCheckSchema, {}),
    ],
  });

const valid: ResultCheck = { kind: "valid" };
const reported = (change: Partial<Parameters<typeof resultSpans>[0]> = {}) =>
  resultSpans({
    result: aResult({ timing: { duration: durationFromMs(1_500) }, trace: { traceId: "t", spanId: "own" } }),
    check: valid,
    gate: judgeResult(aGate()),
    sentAt: NOW,
    receivedAt: NOW + 2_000,
    ...change,
  });

test("TRACE-4 a decision tells admission, route, ranking with the policy's version, and the context", () => {
  expect(decision()).toEqual([
    {
      name: "dispatch_decision",
      at: NOW,
      ms: 4,
      attributes: { outcome: "selected" },
      children: [
        { name: "admission_check", at: NOW, attributes: { queueDepth: 3, riskTier: "NORMAL" } },
        { name: "route_match", at: NOW, attributes: { taskType: "build", allowed: 2, fallback: 1 } },
        {
          name: "filter_rank",
          at: NOW,
          attributes: {
            candidates: ["a", "b", "f"],
            weighed: 3,
            ranked: ["b"],
            policyVersion: "1.0.0",
            selected: "b",
            packVersion: "1.0.0",
            instanceId: "7",
          },
        },
        {
          name: "context_assembly",
          at: NOW,
          attributes: {
            contextLevel: "LAYERED",
            propagationMode: "CUMULATIVE",
            refs: 3,
            stale: 2,
            refreshed: 1,
            degraded: 1,
          },
        },
      ],
    },
  ]);
});

test("TRACE-4 a decision that selected nobody failed, at the step where it did", () => {
  const [span] = decision(explain(request({ taskType: "paint" })));
  expect(span).toMatchObject({ failed: true, attributes: { outcome: "escalate", reason: "no-route" } });
  expect(span?.children?.filter(({ failed: broken }) => broken).map(({ name }) => name)).toEqual([
    "route_match",
    "filter_rank",
  ]);
});

test("TRACE-5 a result tells the work as it was seen from here, the checks, and the gate", () => {
  expect(reported()).toEqual([
    {
      name: "agent_execution",
      at: NOW,
      ms: 2_000,
      attributes: {
        outcome: "SUCCESS",
        confidence: "CONFIDENT",
        artifacts: 0,
        claimedMs: 1_500,
        agentSpanId: "own",
      },
      children: [{ name: "evidence_collection", at: NOW + 2_000, attributes: { mode: "items", items: 1 } }],
    },
    {
      name: "result_validation",
      at: NOW + 2_000,
      attributes: { verdict: "valid" },
      children: ["schema_check", "trace_match", "dispatch_match"].map((name) => ({ name, at: NOW + 2_000 })),
    },
    {
      name: "review_gate",
      at: NOW + 2_000,
      attributes: { verdict: "advance" },
      children: [
        { name: "minimum_gate_checks", at: NOW + 2_000, attributes: { passed: 6, failed: [] } },
        { name: "tier_review", at: NOW + 2_000, attributes: { tier: "LOW", askedBecause: [] } },
      ],
    },
  ]);
});

test("TRACE-5 an invalid result names the checks it failed, and never came before the gate", () => {
  const faults = [
    { reason: "trace", message: "another trace" },
    { reason: "attempt", message: "another attempt" },
  ] as const;
  const [, validation, ...rest] = reported({ check: { kind: "invalid", faults }, gate: null });
  expect(validation).toMatchObject({ failed: true, attributes: { verdict: "invalid" } });
  expect(validation?.children?.filter(({ failed: broken }) => broken)).toMatchObject([
    { name: "trace_match", attributes: { faults: 1, first: "trace" } },
    { name: "dispatch_match", attributes: { faults: 1, first: "attempt" } },
  ]);
  expect(rest).toEqual([]);
});

test("TRACE-5 a stale result does not match its dispatch; one that could not be read tells only when", () => {
  const [execution, validation] = reported({
    result: null,
    check: { kind: "stale", message: "over" },
    gate: null,
  });
  expect(execution).toEqual({ name: "agent_execution", at: NOW, ms: 2_000, failed: true });
  expect(validation).toMatchObject({ failed: true, attributes: { verdict: "stale", why: "over" } });
  expect(validation?.children?.map(({ failed: broken = false }) => broken)).toEqual([false, false, true]);
});

test("TRACE-5 a gate that failed or asked says which checks, at which tier, and why", () => {
  const result = aResult(
    { status: { outcome: Outcome.PARTIAL, confidence: Confidence.UNCERTAIN, failureCode: "HALF" } },
    [failed(EvidenceType.TEST, "pnpm test")],
  );
  const [execution, , gate] = reported({
    result,
    gate: judgeResult(aGate({ result, tier: RiskTier.CRITICAL })),
  });
  expect(execution?.attributes).toMatchObject({ outcome: "PARTIAL", failureCode: "HALF" });
  expect(gate).toMatchObject({ failed: true, attributes: { verdict: "ask" } });
  expect(gate?.children).toMatchObject([
    { name: "minimum_gate_checks", failed: true },
    {
      name: "tier_review",
      failed: true,
      attributes: { tier: "CRITICAL", askedBecause: ["partial", "critical"] },
    },
  ]);
});

test("TRACE-8 spans come back from text as they were, and nothing else passes for spans", () => {
  for (const spans of [decision(), reported()]) {
    expect(readSpans(JSON.parse(JSON.stringify(spans)), "spans")).toEqual(spans);
  }
  expect(() => readSpans({}, "dispatch d1")).toThrow(/^dispatch d1: /);
  expect(() => readSpans([{ name: "a", at: 0, children: [{ name: "b" }] }], "dispatch d1")).toThrow(
    /^dispatch d1\.0\.children\.0\.at: /,
  );
});
