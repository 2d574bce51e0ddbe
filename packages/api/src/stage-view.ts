import type { JsonValue } from "@bufbuild/protobuf";
import {
  ConfidenceSchema,
  ContextPropagationModeSchema,
  OutcomeSchema,
  RiskTierSchema,
  StageStatusSchema,
} from "@signalbox/contracts";
import {
  noWayOn,
  type CurrentDispatch,
  type PipelinePlan,
  type StagePlan,
  type StageResult,
  type StageState,
  stageStateJson,
} from "@signalbox/core";
import { enumName } from "./enum-name.ts";
import { durationJson, timeJson, timeJsonOrNull } from "./time-json.ts";

/** The contract's `Stage` in its JSON mapping, and behind it what the message has no field for. */
export const stageView = ({ stages }: PipelinePlan, plan: StagePlan, state: StageState) => ({
  stageId: plan.stageId,
  stageOrder: plan.stageOrder,
  stageName: plan.stageName,
  taskType: plan.taskType,
  status: enumName(StageStatusSchema, state.status),
  config: configView(stages, plan),
  dispatchId: state.dispatch?.dispatchId ?? null,
  assignedPackId: state.dispatch?.packId ?? null,
  attemptNumber: state.attemptNumber,
  result: state.result && resultView(state.result, stageStateJson(state)["result"]),

  dispatch: state.dispatch && dispatchView(state.dispatch),
  resultAcceptedAt: state.result && timeJson(state.result.acceptedAt),
  resultOfPackId: state.result && state.result.packId,
  retriesUsed: state.retriesUsed,
  handoffsUsed: state.handoffsUsed,
  notBefore: timeJsonOrNull(state.notBefore),
  wait: state.wait && {
    reason: state.wait.reason,
    since: timeJson(state.wait.since),
    until: timeJson(state.wait.until),
  },
  waitsForEscalationId: state.hold,
  feedback: state.feedback,
  failure: state.failure,
  skipReason: state.skipReason,
  edgesTaken: state.edgesTaken,
  noWayOn: noWayOn({ plan, state }),
  reroute: state.reroute,
  acceptedRefs: state.acceptedRefs,
});

const configView = (
  stages: PipelinePlan["stages"],
  { required, dependsOn, propagation, retry }: StagePlan,
) => ({
  required,
  dependsOnStages: dependsOn.map((order) => stages[order]?.stageId ?? ""),
  contextPropagation: { ...propagation, mode: enumName(ContextPropagationModeSchema, propagation.mode) },
  handoffPolicy: {
    retry: {
      maxAttempts: retry.maxAttempts,
      initialBackoff: durationJson(retry.initialBackoffMs),
      backoffMultiplier: retry.backoffMultiplier,
      maxBackoff: durationJson(retry.maxBackoffMs),
    },
  },
});

/** As much of the contract's `AgentResult` as is kept with the pipeline; evidence and gate stand in the audit record. */
const resultView = (result: StageResult, kept: JsonValue | undefined) => ({
  status: {
    outcome: enumName(OutcomeSchema, result.outcome),
    confidence: enumName(ConfidenceSchema, result.confidence),
    summary: result.summary,
  },
  // What the agent wrote, as it is kept: its times may be none that the mapping can express.
  contextOut: memberOf(kept, "contextOut"),
  artifacts: memberOf(kept, "artifacts") ?? [],
  response: memberOf(kept, "response"),
  dispatchId: result.dispatchId,
  attemptNumber: result.attemptNumber,
});

const memberOf = (json: JsonValue | undefined, name: string): JsonValue =>
  (typeof json === "object" && json !== null && !Array.isArray(json) ? json[name] : undefined) ?? null;

const dispatchView = (dispatch: CurrentDispatch) => ({
  dispatchId: dispatch.dispatchId,
  attemptNumber: dispatch.attemptNumber,
  packId: dispatch.packId,
  packVersion: dispatch.packVersion,
  instanceId: dispatch.instanceId,
  riskTier: enumName(RiskTierSchema, dispatch.riskTier),
  sentAt: timeJson(dispatch.sentAt),
  dueAt: timeJsonOrNull(dispatch.dueAt),
  reportedAt: timeJsonOrNull(dispatch.reportedAt),
});
