import { create, type JsonObject } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type ContextIn,
  type Contract,
  type Priority,
  type Ref,
  type RefFreshnessCheck,
  RefSchema,
  RefType,
  type SafetyContext,
  SafetyContextSchema,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import type { Explanation } from "./explain-dispatch.ts";

/** What the pipeline and the task bring to an attempt, beside the decision who works on it. */
export type EnvelopeParts = {
  readonly contract: Contract;
  readonly safety: SafetyContext | undefined;
  /** As freshness let them through, with its checks. */
  readonly refs: readonly Ref[];
  readonly refFreshness: readonly RefFreshnessCheck[];
  /** As the context level let it through. */
  readonly contextIn: ContextIn | undefined;
  readonly trace: {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId: string;
    readonly tenantId: string;
  };
  readonly execution: {
    readonly dispatchId: string;
    readonly idempotencyKey: string;
    readonly attemptNumber: number;
    readonly deadlineAt: number | undefined;
    readonly timeoutMs: number | undefined;
    readonly priority: Priority;
    readonly patchSizeLimit: number;
  };
  readonly inputs?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly responseFormat?: "json_standard";
};

/** DSP-82 (A2A 2.1, 3.2): the work order for the instance that an explanation selected. */
export function buildEnvelope(explanation: Explanation, parts: EnvelopeParts): TaskEnvelope {
  const { decision, orchestrator, policyVersion, ranking, request } = explanation;
  if (decision.kind !== "selected") throw new TypeError(`a decision to ${decision.kind} has no envelope`);
  const { trace, execution } = parts;
  const envelope = create(TaskEnvelopeSchema, {
    protocolVersion: {
      schemaVersion: orchestrator.schemaVersion,
      policyVersion,
      packVersion: decision.packVersion,
    },
    contract: parts.contract,
    trace: { ...trace, agentId: decision.instanceId },
    safety: parts.safety ?? create(SafetyContextSchema),
    refs: parts.refs.length > 0 ? [...parts.refs] : [taskRef(parts.contract)],
    execution: {
      idempotencyKey: execution.idempotencyKey,
      dispatchId: execution.dispatchId,
      attemptNumber: execution.attemptNumber,
      priority: execution.priority,
      riskTier: decision.riskTier,
      patchSizeLimit: execution.patchSizeLimit,
    },
    routing: {
      selectedPackId: decision.packId,
      candidatePackIds: ranking.map(({ packId }) => packId),
      routingPolicyVersion: policyVersion,
      taskType: request.taskType,
    },
    refFreshness: [...parts.refFreshness],
    responseFormat: parts.responseFormat ?? "",
  });
  if (envelope.execution && execution.deadlineAt !== undefined) {
    envelope.execution.deadline = timestampFromMs(execution.deadlineAt);
  }
  if (envelope.execution && execution.timeoutMs !== undefined) {
    envelope.execution.timeout = durationFromMs(execution.timeoutMs);
  }
  if (parts.contextIn !== undefined) envelope.contextIn = parts.contextIn;
  if (parts.inputs !== undefined) envelope.inputs = parts.inputs;
  if (parts.outputSchema !== undefined) envelope.outputSchema = parts.outputSchema;
  return envelope;
}

/** DSP-83: an envelope has a ref at least; a task that brings none refers to itself. */
const taskRef = ({ taskId }: Contract): Ref =>
  create(RefSchema, { uriOrLocator: `signalbox:task/${taskId}`, refType: RefType.DB_RECORD });
