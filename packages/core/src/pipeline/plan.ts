import type { ContextPropagationMode, FailureStrategy } from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import type { ConfidenceWatch } from "../saop/confidence.ts";

/**
 * What never changes while a pipeline runs: its template's stages in topological order, its policy, and who asked.
 * States share it by reference. Contracts are not here, so that no event can change one (4.6).
 */
export type PipelinePlan = {
  readonly pipelineId: string;
  readonly pipelineName: string;
  readonly templateId: string;
  readonly templateVersion: string;
  readonly sourceTaskId: string;
  readonly submitter: Actor;
  /** The routing policy by which the task was accepted, and is judged; `null`: by the one in force at each moment. */
  readonly policyVersion: string | null;
  /** The task's own deadline; `null`: it has none. */
  readonly taskDeadlineAt: number | null;
  readonly policy: PolicyPlan;
  readonly stages: readonly StagePlan[];
};

export type PolicyPlan = {
  readonly maxTotalRetries: number;
  readonly maxRejections: number;
  /** `null`: the pipeline has no deadline. */
  readonly deadlineMs: number | null;
  readonly failureStrategy: FailureStrategy;
  readonly requireAllStages: boolean;
};

export type StagePlan = {
  readonly stageId: string;
  /** Its place in `PipelinePlan.stages`; a dependency has a smaller one. */
  readonly stageOrder: number;
  readonly stageName: string;
  readonly taskType: string;
  readonly required: boolean;
  /** Orders of the stages this one waits for, and of those that wait for it; direct ones only. */
  readonly dependsOn: readonly number[];
  readonly dependents: readonly number[];
  /** Those that leave it (D10). What an edge leads to also depends on this stage. */
  readonly edges: readonly EdgePlan[];
  readonly join: Join;
  readonly propagation: PropagationPlan;
  readonly retry: RetryPlan;
  /** `null`: nobody watches what its agents say of their confidence (D17). */
  readonly confidence: ConfidenceWatch | null;
};

/** How many of the ways that lead to a stage must be taken. */
type Join = "all" | "any";

export type EdgePlan = {
  readonly to: string;
  /** CEL; empty: on success. */
  readonly condition: string;
};

export type PropagationPlan = {
  readonly mode: ContextPropagationMode;
  readonly carryFields: readonly string[];
  readonly carryArtifacts: boolean;
  readonly carryDecisions: boolean;
  readonly carryRisks: boolean;
};

export type RetryPlan = {
  /** The first one included. */
  readonly maxAttempts: number;
  readonly initialBackoffMs: number;
  readonly backoffMultiplier: number;
  readonly maxBackoffMs: number;
};

export const stageIndex = (plan: PipelinePlan, stageId: string): number =>
  plan.stages.findIndex((stage) => stage.stageId === stageId);

/** The stage and everything that waits for it, directly or not, in stage order. */
export function withDependents(plan: PipelinePlan, index: number): readonly number[] {
  const found = new Set([index]);
  for (const order of found) {
    for (const dependent of plan.stages[order]?.dependents ?? []) found.add(dependent);
  }
  return [...found].toSorted((one, other) => one - other);
}

export function isUpstream(plan: PipelinePlan, index: number, of: number): boolean {
  if (index === of || plan.stages[of]?.dependsOn.includes(index) === true) return true;
  return index < of && withDependents(plan, index).includes(of);
}
