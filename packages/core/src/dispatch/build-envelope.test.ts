import { create } from "@bufbuild/protobuf";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  checkMessage,
  type ContextIn,
  ContextInSchema,
  ContextLevel,
  ContractSchema,
  Priority,
  RefFreshnessCheckSchema,
  RefSchema,
  RiskTier,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assembleContext, effectiveContextLevel } from "./assemble-context.ts";
import { buildEnvelope, type EnvelopeParts } from "./build-envelope.ts";
import { explainDispatch } from "./explain-dispatch.ts";
import { compileSnapshot } from "./snapshot.ts";
import { policies, registries, requests } from "./testing/arbitrary-registry.ts";
import { instance, manifest, NOW, orchestrator, policy, request, route } from "./testing/registry.ts";

const whole: ContextIn = create(ContextInSchema, {
  sharedContext: "background",
  taskDelta: "sent back: mend the test\n\nwhat is particular",
  decisionMemo: { decisions: [{ decisionId: "d1", description: "use a queue" }] },
  criticalSnippets: [{ path: "a.ts", content: "let a" }],
  unresolvedAssumptions: ["the queue is durable"],
});
const filled = (context: ContextIn | undefined) => ({
  shared: context?.sharedContext ?? "",
  delta: context?.taskDelta ?? "",
  decisions: context?.decisionMemo?.decisions.length ?? 0,
  snippets: context?.criticalSnippets.length ?? 0,
  assumptions: context?.unresolvedAssumptions.length ?? 0,
});

const nothing = { sharedContext: "", taskDelta: "" };

describe("DSP-81: the context level", () => {
  const feedback = "sent back: mend the test";
  const always = { sharedContext: "", taskDelta: feedback };
  test.each([
    [ContextLevel.MINIMAL, { shared: "", delta: feedback, decisions: 0, snippets: 0, assumptions: 0 }],
    [ContextLevel.LAYERED, { shared: "", delta: feedback, decisions: 1, snippets: 1, assumptions: 0 }],
    [
      ContextLevel.RICH,
      { shared: "background", delta: whole.taskDelta, decisions: 1, snippets: 1, assumptions: 1 },
    ],
  ])("%d lets through its part, and what a sent-back attempt must see at every level", (level, expected) => {
    expect(filled(assembleContext(level, whole, always))).toEqual(expected);
  });

  test("what a sent-back attempt must see travels also where there is nothing else", () => {
    for (const level of [ContextLevel.MINIMAL, ContextLevel.LAYERED, ContextLevel.RICH]) {
      expect(filled(assembleContext(level, undefined, always)).delta).toBe(feedback);
    }
  });

  test("with nothing to tell, nothing travels", () => {
    for (const level of [ContextLevel.MINIMAL, ContextLevel.LAYERED, ContextLevel.RICH]) {
      expect(assembleContext(level, create(ContextInSchema), nothing)).toBeUndefined();
      expect(assembleContext(level, undefined, nothing)).toBeUndefined();
    }
  });
});

test("DSP-80: a template that names no level gets LAYERED", () => {
  expect(effectiveContextLevel(undefined)).toBe(ContextLevel.LAYERED);
  expect(effectiveContextLevel(ContextLevel.UNSPECIFIED)).toBe(ContextLevel.LAYERED);
  expect(effectiveContextLevel(ContextLevel.MINIMAL)).toBe(ContextLevel.MINIMAL);
});

const parts: EnvelopeParts = {
  contract: create(ContractSchema, { taskId: "t-1", title: "Build", acceptanceCriteria: ["it builds"] }),
  safety: undefined,
  refs: [create(RefSchema, { uriOrLocator: "src/a.ts" })],
  refFreshness: [
    create(RefFreshnessCheckSchema, {
      uriOrLocator: "src/a.ts",
      wasStale: true,
      dispatchedWithDegraded: true,
    }),
  ],
  contextIn: whole,
  trace: { traceId: "trace", spanId: "span", parentSpanId: "parent", tenantId: "tenant" },
  execution: {
    dispatchId: "d-1",
    idempotencyKey: "k-1",
    attemptNumber: 2,
    deadlineAt: NOW + 60_000,
    timeoutMs: 30_000,
    priority: Priority.HIGH,
    patchSizeLimit: 400,
  },
};
const rules = policy([route("build", ["a", "b"], { preferredPackId: "b", minRiskTier: RiskTier.CRITICAL })]);
const snapshot = compileSnapshot(rules, orchestrator, {
  packs: [manifest("a"), manifest("b")],
  instances: [instance("a", "1"), instance("b", "1")],
});

test("DSP-82: an envelope says who was chosen among whom, under which policy, at the effective tier", () => {
  const envelope = buildEnvelope(explainDispatch(snapshot, request(), NOW), parts);
  checkMessage(TaskEnvelopeSchema, envelope);
  expect(envelope).toMatchObject({
    protocolVersion: { schemaVersion: "1.2.0", policyVersion: "1.0.0", packVersion: "1.0.0" },
    contract: { taskId: "t-1" },
    trace: { traceId: "trace", spanId: "span", parentSpanId: "parent", tenantId: "tenant", agentId: "1" },
    refs: [{ uriOrLocator: "src/a.ts" }],
    execution: { dispatchId: "d-1", idempotencyKey: "k-1", attemptNumber: 2, riskTier: RiskTier.CRITICAL },
    routing: {
      selectedPackId: "b",
      candidatePackIds: ["b", "a"],
      routingPolicyVersion: "1.0.0",
      taskType: "build",
    },
    refFreshness: [{ dispatchedWithDegraded: true }],
    contextIn: { sharedContext: "background" },
  });
  expect(envelope.execution?.deadline && timestampMs(envelope.execution.deadline)).toBe(NOW + 60_000);
  expect(envelope.execution?.timeout && durationMs(envelope.execution.timeout)).toBe(30_000);
});

test("DSP-82: there is no envelope for a decision that selected nobody", () => {
  const nobody = explainDispatch(snapshot, request({ taskType: "unknown" }), NOW);
  expect(() => buildEnvelope(nobody, parts)).toThrow("a decision to escalate has no envelope");
});

test("DSP-83: a task without refs refers to itself", () => {
  const envelope = buildEnvelope(explainDispatch(snapshot, request(), NOW), {
    ...parts,
    refs: [],
    contextIn: undefined,
  });
  checkMessage(TaskEnvelopeSchema, envelope);
  expect(envelope.refs).toMatchObject([{ uriOrLocator: "signalbox:task/t-1" }]);
  expect(envelope.contextIn).toBeUndefined();
});

test("DSP-82: every decision that selects has an envelope that obeys the contract", () => {
  const executions = fc.record({
    dispatchId: fc.string({ minLength: 1, maxLength: 20 }),
    idempotencyKey: fc.string({ minLength: 1, maxLength: 20 }),
    attemptNumber: fc.integer({ min: 1, max: 2_147_483_647 }),
    deadlineAt: fc.option(fc.integer({ min: 0, max: 4_102_444_800_000 }), { nil: undefined }),
    timeoutMs: fc.option(fc.integer({ min: 1, max: 31_622_400_000 }), { nil: undefined }),
    priority: fc.constantFrom(Priority.UNSPECIFIED, Priority.LOW, Priority.CRITICAL),
    patchSizeLimit: fc.nat(),
  });
  const levels = fc.constantFrom(ContextLevel.MINIMAL, ContextLevel.LAYERED, ContextLevel.RICH);
  fc.assert(
    fc.property(
      policies,
      registries,
      requests,
      executions,
      levels,
      (document, facts, asked, execution, level) => {
        const explanation = explainDispatch(compileSnapshot(document, orchestrator, facts), asked, NOW);
        fc.pre(explanation.decision.kind === "selected");
        const contextIn = assembleContext(level, whole, nothing);
        const envelope = buildEnvelope(explanation, { ...parts, execution, contextIn });
        checkMessage(TaskEnvelopeSchema, envelope);
        expect(envelope.routing?.candidatePackIds[0]).toBe(envelope.routing?.selectedPackId);
      },
    ),
  );
});
