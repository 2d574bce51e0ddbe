import { StageStatus, type Artifact, type Decision } from "@signalbox/contracts";
import type { PipelineSnapshot } from "./fact.ts";
import type { PipelineState, StageResult } from "./state.ts";

/** What all stages together brought, for whoever takes over from a pipeline that completed (4.3, step 7). */
export type PipelineSummary = {
  readonly artifacts: readonly Artifact[];
  readonly decisions: readonly Decision[];
  readonly risks: readonly string[];
  readonly totalMs: number;
};

const risksKept = 100;

function completedResults({ stages }: PipelineState): readonly StageResult[] {
  return stages.flatMap(({ status, result }) =>
    status === StageStatus.COMPLETED && result !== null ? [result] : [],
  );
}

const risksOf = (results: readonly StageResult[]): readonly string[] => [
  ...new Set(results.flatMap(({ contextOut }) => contextOut?.risksIdentified ?? [])),
];

/** SUM-1: in stage order; of an artifact that several stages touched, what the last one did. */
export function summarizePipeline(state: PipelineState, now: number): PipelineSummary {
  const results = completedResults(state);
  const artifacts = results.flatMap((result) => result.artifacts);
  return {
    artifacts: [...new Map(artifacts.map((artifact) => [artifact.path, artifact])).values()],
    decisions: results.flatMap(({ contextOut }) => contextOut?.decisionsMade ?? []),
    risks: risksOf(results),
    totalMs: Math.max(0, (state.endedAt ?? now) - state.startedAt),
  };
}

export function pipelineSnapshot(state: PipelineState, now: number): PipelineSnapshot {
  const { plan, stages } = state;
  const withStatus = (wanted: StageStatus) => stages.filter(({ status }) => status === wanted).length;
  return {
    templateId: plan.templateId,
    templateVersion: plan.templateVersion,
    status: state.status,
    policy: plan.policy,
    stageCount: stages.length,
    stagesCompleted: withStatus(StageStatus.COMPLETED),
    stagesSkipped: withStatus(StageStatus.SKIPPED),
    retriesUsed: state.retriesUsed,
    rejectionsUsed: state.rejectionsUsed,
    totalMs: Math.max(0, (state.endedAt ?? now) - state.startedAt),
    remainingMs: state.clock.remainingMs,
    risks: risksOf(completedResults(state)).slice(0, risksKept),
  };
}
