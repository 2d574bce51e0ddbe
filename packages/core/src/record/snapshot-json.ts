import type { JsonObject } from "@bufbuild/protobuf";
import { durationFromMs, durationMs, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  AuditSnapshotSchema,
  type DispatchEndSnapshot as WrittenEnd,
  DispatchEndSnapshotSchema,
  DispatchSnapshotSchema,
  EscalationSnapshotSchema,
  FailureStrategy,
  GateSnapshotSchema,
  type PipelineSnapshot as WrittenPipeline,
  PipelineSnapshotSchema,
  PipelineStatus,
  ResultSnapshotSchema,
} from "@signalbox/contracts";
import type { DispatchEndSnapshot, FactSnapshot, PipelineSnapshot } from "../pipeline/fact.ts";
import { messageWriter, readMessage } from "./message-json.ts";
import { RecordFault } from "./record-fault.ts";

const write = {
  dispatch: messageWriter(DispatchSnapshotSchema),
  result: messageWriter(ResultSnapshotSchema),
  gate: messageWriter(GateSnapshotSchema),
  escalation: messageWriter(EscalationSnapshotSchema),
  pipeline: messageWriter(PipelineSnapshotSchema),
  dispatchEnd: messageWriter(DispatchEndSnapshotSchema),
};

export function snapshotJson(snapshot: FactSnapshot): JsonObject {
  switch (snapshot.case) {
    case "dispatch":
      return { dispatch: write.dispatch(snapshot.value) };
    case "result":
      return { result: write.result(snapshot.value) };
    case "gate":
      return { gate: write.gate(snapshot.value) };
    case "escalation":
      return { escalation: write.escalation(snapshot.value) };
    case "pipeline":
      return { pipeline: write.pipeline(pipelineInit(snapshot.value)) };
    case "dispatch-end":
      return { dispatchEnd: write.dispatchEnd(endInit(snapshot.value)) };
  }
}

function pipelineInit({ policy, totalMs, remainingMs, risks, ...plain }: PipelineSnapshot) {
  const { deadlineMs, ...limits } = policy;
  return {
    ...plain,
    policy: { ...limits, ...(deadlineMs === null ? {} : { pipelineDeadline: durationFromMs(deadlineMs) }) },
    totalTime: durationFromMs(totalMs),
    ...(remainingMs === null ? {} : { timeLeft: durationFromMs(remainingMs) }),
    risks: [...risks],
  };
}

const endInit = ({ durationMs: ranFor, dueAt, ...plain }: DispatchEndSnapshot) => ({
  ...plain,
  ranFor: durationFromMs(ranFor),
  ...(dueAt === null ? {} : { dueAt: timestampFromMs(dueAt) }),
});

export function readSnapshot(json: unknown): FactSnapshot {
  const { snapshotPayload: read } = readMessage(AuditSnapshotSchema, json);
  switch (read.case) {
    case "dispatch":
    case "result":
    case "gate":
    case "escalation":
      return read;
    case "pipeline":
      return { case: "pipeline", value: readPipeline(read.value) };
    case "dispatchEnd":
      return { case: "dispatch-end", value: readEnd(read.value) };
    case "agentHealth":
    case undefined:
      throw new RecordFault("is of no kind that a pipeline's fact has");
  }
}

const readPipeline = ({ policy, totalTime, timeLeft, ...plain }: WrittenPipeline): PipelineSnapshot => ({
  templateId: plain.templateId,
  templateVersion: plain.templateVersion,
  status: plain.status ?? PipelineStatus.UNSPECIFIED,
  policy: {
    maxTotalRetries: policy?.maxTotalRetries ?? 0,
    maxRejections: policy?.maxRejections ?? 0,
    deadlineMs: policy?.pipelineDeadline ? durationMs(policy.pipelineDeadline) : null,
    failureStrategy: policy?.failureStrategy ?? FailureStrategy.UNSPECIFIED,
    requireAllStages: policy?.requireAllStages ?? false,
  },
  stageCount: plain.stageCount,
  stagesCompleted: plain.stagesCompleted,
  stagesSkipped: plain.stagesSkipped,
  retriesUsed: plain.retriesUsed,
  rejectionsUsed: plain.rejectionsUsed,
  totalMs: totalTime ? durationMs(totalTime) : 0,
  remainingMs: timeLeft ? durationMs(timeLeft) : null,
  risks: plain.risks,
});

const readEnd = ({ packId, instanceId, ranFor, dueAt, cancelSent }: WrittenEnd): DispatchEndSnapshot => ({
  packId,
  instanceId,
  durationMs: ranFor ? durationMs(ranFor) : 0,
  dueAt: dueAt ? timestampMs(dueAt) : null,
  cancelSent,
});
