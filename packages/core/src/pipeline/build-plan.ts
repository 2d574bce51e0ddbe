import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  ContextPropagationMode,
  FailureStrategy,
  type ContextPropagation,
  type PipelinePolicy,
} from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import type { TemplateStage } from "../documents/pipeline-templates.ts";
import { orderStages, type StageOutline } from "../documents/stage-order.ts";
import type { PipelinePlan, PolicyPlan, PropagationPlan, StagePlan } from "./plan.ts";
import { retryPlan } from "./retry.ts";

export type PipelineDefinition = {
  readonly pipelineId: string;
  readonly pipelineName: string;
  readonly templateId: string;
  readonly templateVersion: string;
  readonly sourceTaskId: string;
  readonly submitter: Actor;
  readonly policy: PipelinePolicy | undefined;
  readonly stages: readonly TemplateStage[];
};

export type PlanFault =
  | { readonly fault: "no-stages" }
  | { readonly fault: "duplicate-stage"; readonly stageId: string }
  | { readonly fault: "unknown-dependency"; readonly stageId: string; readonly dependsOn: string }
  | { readonly fault: "cycle"; readonly stageIds: readonly string[] };

export type BuiltPlan =
  | { readonly kind: "planned"; readonly plan: PipelinePlan }
  | { readonly kind: "refused"; readonly faults: readonly PlanFault[] };

/** CREATE-1, CREATE-2 (4.3): the template's stages in topological order, numbered so that a dependency is smaller. */
export function buildPlan({ policy, stages, ...identity }: PipelineDefinition): BuiltPlan {
  const outlines = stages.map(({ stageId, config }) => ({ stageId, dependsOn: config.dependsOnStages }));
  const { order, cycles } = orderStages(outlines);
  const faults = [
    ...faultsOf(outlines),
    ...cycles.map((stageIds): PlanFault => ({ fault: "cycle", stageIds })),
  ];
  if (faults.length > 0) return { kind: "refused", faults };
  const inOrder = order.flatMap((position) => stages[position] ?? []);
  const orderById = new Map(inOrder.map(({ stageId }, place) => [stageId, place]));
  const dependsOn = inOrder.map(({ config }) =>
    [...new Set(config.dependsOnStages)].flatMap((id) => orderById.get(id) ?? []),
  );
  const dependents = inOrder.map((): number[] => []);
  for (const [place, dependencies] of dependsOn.entries()) {
    for (const dependency of dependencies) dependents[dependency]?.push(place);
  }
  const plan: PipelinePlan = {
    ...identity,
    policy: policyPlan(policy),
    stages: inOrder.map((stage, place) =>
      stagePlan(stage, {
        stageOrder: place,
        dependsOn: dependsOn[place] ?? [],
        dependents: dependents[place] ?? [],
      }),
    ),
  };
  return { kind: "planned", plan };
}

/** A template is checked when it is written; what is started from one is checked again, since it cannot be stopped late. */
function faultsOf(stages: readonly StageOutline[]): PlanFault[] {
  if (stages.length === 0) return [{ fault: "no-stages" }];
  const ids = stages.map(({ stageId }) => stageId);
  const known = new Set(ids);
  return [
    ...ids
      .filter((id, position) => ids.indexOf(id) !== position)
      .map((stageId): PlanFault => ({ fault: "duplicate-stage", stageId })),
    ...stages.flatMap(({ stageId, dependsOn }) =>
      dependsOn
        .filter((id) => !known.has(id))
        .map((id): PlanFault => ({ fault: "unknown-dependency", stageId, dependsOn: id })),
    ),
  ];
}

function stagePlan(
  { stageId, stageName, taskType, config }: TemplateStage,
  place: Pick<StagePlan, "stageOrder" | "dependsOn" | "dependents">,
): StagePlan {
  return {
    stageId,
    stageName: stageName || stageId,
    taskType,
    required: config.required,
    ...place,
    propagation: propagationPlan(config.contextPropagation),
    retry: retryPlan(config.handoffPolicy?.retry),
  };
}

function propagationPlan(propagation: ContextPropagation | undefined): PropagationPlan {
  return {
    mode: propagation?.mode || ContextPropagationMode.NONE,
    carryFields: propagation?.carryFields ?? [],
    carryArtifacts: propagation?.carryArtifacts ?? false,
    carryDecisions: propagation?.carryDecisions ?? false,
    carryRisks: propagation?.carryRisks ?? false,
  };
}

/** CREATE-4: a policy that names no failure strategy asks a person, which loses nothing. */
function policyPlan(policy: PipelinePolicy | undefined): PolicyPlan {
  return {
    maxTotalRetries: policy?.maxTotalRetries ?? 0,
    maxRejections: policy?.maxRejections ?? 0,
    deadlineMs: policy?.pipelineDeadline ? durationMs(policy.pipelineDeadline) : null,
    failureStrategy: policy?.failureStrategy || FailureStrategy.PAUSE,
    requireAllStages: policy?.requireAllStages ?? false,
  };
}
