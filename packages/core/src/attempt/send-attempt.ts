import type { JsonObject } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { AgentManifest, Ref, RefFreshnessCheck } from "@signalbox/contracts";
import { type AlwaysTold, assembleContext } from "../dispatch/assemble-context.ts";
import { buildEnvelope } from "../dispatch/build-envelope.ts";
import type { DispatchDecision } from "../dispatch/decide-dispatch.ts";
import type { Explanation } from "../dispatch/explain-dispatch.ts";
import { decisionText } from "../dispatch/reason-text.ts";
import type { PropagatedContext } from "../pipeline/context/propagate-context.ts";
import { dispatchIdOf, idempotencyKeyOf } from "../pipeline/ids.ts";
import type { StageView } from "../pipeline/ledger.ts";
import { isSapSource } from "../sap/submission.ts";
import { dispatchSpans } from "../trace/dispatch-spans.ts";
import { executionSpanId, stageSpanId } from "../trace/span-ids.ts";
import { answerFormat, manifestOf } from "./answer-format.ts";
import { type AttemptFacts, levelOf, snapshotOf, type StageAttempt } from "./attempt-facts.ts";
import type { Task } from "./task.ts";

export type Selected = DispatchDecision & { kind: "selected" };

type Sending = {
  readonly facts: AttemptFacts;
  readonly stage: StageView;
  readonly explanation: Explanation;
  readonly decision: Selected;
  readonly context: PropagatedContext | undefined;
  readonly inputs: JsonObject | undefined;
  readonly refs: readonly Ref[];
  readonly checks: readonly RefFreshnessCheck[];
  readonly now: number;
};

/** ATT-2: the envelope for whoever was selected, its spans, and the event that says it was sent. */
export function sendAttempt(sending: Sending): StageAttempt {
  const { facts, stage, explanation, decision, context, inputs, refs, checks, now } = sending;
  const { state, task, snapshot, tenantId, traceId } = facts;
  const { plan, index } = stage;
  const { pipelineId } = state.plan;
  const { attemptNumber } = stage.state;
  const manifest = manifestOf(snapshot, decision);
  const timeoutMs = timeoutOf(manifest, task);
  const timeoutAt = timeoutMs === undefined ? null : now + timeoutMs;
  const contextLevel = levelOf(facts, stage);
  const contract = task.stages[index]?.contract ?? task.submission.contract;
  if (contract === undefined) throw new TypeError("a task without a contract was let through");
  const dispatchId = dispatchIdOf({ pipelineId, stageOrder: index, attemptNumber });
  const envelope = buildEnvelope(explanation, {
    contract,
    safety: task.submission.safety,
    refs,
    refFreshness: checks,
    contextIn: assembleContext(contextLevel, context?.contextIn, alwaysTold(task, context)),
    trace: {
      traceId,
      tenantId,
      spanId: executionSpanId(pipelineId, index, attemptNumber),
      parentSpanId: stageSpanId(pipelineId, index),
    },
    execution: {
      dispatchId,
      attemptNumber,
      idempotencyKey: idempotencyKeyOf(pipelineId, plan.stageId),
      deadlineAt: explanation.request.deadlineAt,
      timeoutMs,
      priority: task.priority,
      patchSizeLimit: task.patchSizeLimit,
    },
    ...(inputs === undefined ? {} : { inputs }),
    ...answerFormat(task.stages[index]?.config, manifest),
  });
  return {
    kind: "sent",
    envelope,
    policyVersion: explanation.policyVersion,
    timeoutAt,
    spans: dispatchSpans({
      explanation,
      sentAt: now,
      contextLevel,
      propagationMode: plan.propagation.mode,
      refFreshness: checks,
      leftOut: context?.leftOut.length ?? 0,
    }),
    event: {
      kind: "stage-dispatched",
      stageId: plan.stageId,
      dispatchId,
      attemptNumber,
      packId: decision.packId,
      packVersion: decision.packVersion,
      instanceId: decision.instanceId,
      riskTier: decision.riskTier,
      dueAt: timeoutAt,
      decision: snapshotOf(explanation, facts, stage, checks),
      rationale: decisionText(explanation),
    },
  };
}

/** SAP-8: how much of other stages' context a template lets through says nothing of the constitution that a task came with. */
function alwaysTold({ submission }: Task, context: PropagatedContext | undefined): AlwaysTold {
  const feedback = { sharedContext: "", taskDelta: context?.feedback ?? "" };
  if (context === undefined || !isSapSource(submission.contract?.taskId ?? "")) return feedback;
  return {
    sharedContext: submission.contextIn?.sharedContext ?? "",
    taskDelta: context.contextIn.taskDelta,
  };
}

/** ATT-4: a dispatch may take as long as the task allows one, and no longer than the pack says it ever needs. */
function timeoutOf(manifest: AgentManifest | undefined, task: Task): number | undefined {
  const longest = manifest?.interface?.maxTaskDuration;
  const limits = [task.timeoutMs, longest && durationMs(longest)].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
