import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  ContextPropagationMode,
  FailureStrategy,
  StageJoin,
  type ContextPropagation,
  type PipelinePolicy,
  type StageConfig,
} from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import type { TemplateStage } from "../documents/pipeline-templates.ts";
import { orderStages, type StageOutline } from "../documents/stage-order.ts";
import { compileCondition } from "../sacp/condition.ts";
import type { ConfidenceWatch } from "../saop/confidence.ts";
import type { PipelinePlan, PolicyPlan, PropagationPlan, StagePlan } from "./plan.ts";
import { retryPlan } from "./retry.ts";

export type PipelineDefinition = {
  readonly pipelineId: string;
  readonly pipelineName: string;
  readonly templateId: string;
  readonly templateVersion: string;
  readonly sourceTaskId: string;
  readonly submitter: Actor;
  readonly policyVersion?: string | undefined;
  readonly taskDeadlineAt?: number | undefined;
  readonly policy: PipelinePolicy | undefined;
  readonly stages: readonly TemplateStage[];
};

export type PlanFault =
  | { readonly fault: "no-stages" }
  | { readonly fault: "duplicate-stage"; readonly stageId: string }
  | { readonly fault: "unknown-dependency"; readonly stageId: string; readonly dependsOn: string }
  | { readonly fault: "unknown-target"; readonly stageId: string; readonly target: string }
  | {
      readonly fault: "condition";
      readonly stageId: string;
      readonly target: string;
      readonly message: string;
    }
  | { readonly fault: "cycle"; readonly stageIds: readonly string[] };

export type BuiltPlan =
  | { readonly kind: "planned"; readonly plan: PipelinePlan }
  | { readonly kind: "refused"; readonly faults: readonly PlanFault[] };

/** CREATE-1, CREATE-2 (4.3): the template's stages in topological order, numbered so that a dependency is smaller. */
export function buildPlan({
  policy,
  stages,
  taskDeadlineAt,
  policyVersion,
  ...identity
}: PipelineDefinition): BuiltPlan {
  const ordered = identity.templateId === "" ? orderPlans(stages) : orderedOnce(stages);
  if (ordered.kind === "refused") return ordered;
  const plan: PipelinePlan = {
    ...identity,
    policyVersion: policyVersion ?? null,
    taskDeadlineAt: taskDeadlineAt ?? null,
    policy: policyPlan(policy),
    stages: ordered.stages,
  };
  return { kind: "planned", plan };
}

type Ordered =
  | { readonly kind: "ordered"; readonly stages: readonly StagePlan[] }
  | { readonly kind: "refused"; readonly faults: readonly PlanFault[] };

/** By a template's stages, which never change once published: its pipelines share what they come to. */
const orderedBefore = new WeakMap<readonly TemplateStage[], Ordered>();

function orderedOnce(stages: readonly TemplateStage[]): Ordered {
  const found = orderedBefore.get(stages) ?? orderPlans(stages);
  orderedBefore.set(stages, found);
  return found;
}

function orderPlans(stages: readonly TemplateStage[]): Ordered {
  const sources = edgeSources(stages);
  const outlines = stages.map((stage) => outlineOf(stage, sources));
  const { order, cycles } = orderStages(outlines);
  const faults = [
    ...faultsOf(outlines),
    ...edgeFaults(stages),
    ...cycles.map((stageIds): PlanFault => ({ fault: "cycle", stageIds })),
  ];
  if (faults.length > 0) return { kind: "refused", faults };
  const inOrder = order.flatMap((position) => stages[position] ?? []);
  const orderById = new Map(inOrder.map(({ stageId }, place) => [stageId, place]));
  const dependsOn = inOrder.map((stage) =>
    outlineOf(stage, sources).dependsOn.flatMap((id) => orderById.get(id) ?? []),
  );
  const dependents = inOrder.map((): number[] => []);
  for (const [place, dependencies] of dependsOn.entries()) {
    for (const dependency of dependencies) dependents[dependency]?.push(place);
  }
  const plans = inOrder.map((stage, place) =>
    stagePlan(stage, {
      stageOrder: place,
      dependsOn: dependsOn[place] ?? [],
      dependents: dependents[place] ?? [],
    }),
  );
  return { kind: "ordered", stages: plans };
}

/** By the stage that edges lead to: those that they come from. */
function edgeSources(stages: readonly TemplateStage[]): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const { stageId, config } of stages) {
    for (const { targetStageId } of config.edges) {
      sources.set(targetStageId, [...(sources.get(targetStageId) ?? []), stageId]);
    }
  }
  return sources;
}

/** What a stage waits for: what it names, and what has an edge to it (D10). */
const outlineOf = (
  { stageId, config }: TemplateStage,
  sources: ReadonlyMap<string, readonly string[]>,
): StageOutline => ({
  stageId,
  dependsOn: [...new Set([...config.dependsOnStages, ...(sources.get(stageId) ?? [])])],
});

function edgeFaults(stages: readonly TemplateStage[]): PlanFault[] {
  const known = new Set(stages.map(({ stageId }) => stageId));
  return stages.flatMap(({ stageId, config }) =>
    config.edges.flatMap(({ targetStageId: target, condition }): PlanFault[] => {
      if (!known.has(target)) return [{ fault: "unknown-target", stageId, target }];
      const found = condition === "" ? undefined : compileCondition(condition);
      return found?.kind === "faulty"
        ? [{ fault: "condition", stageId, target, message: found.fault.message }]
        : [];
    }),
  );
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
    edges: config.edges.map(({ targetStageId, condition }) => ({ to: targetStageId, condition })),
    join: config.join === StageJoin.ANY ? "any" : "all",
    propagation: propagationPlan(config.contextPropagation),
    retry: retryPlan(config.handoffPolicy?.retry),
    confidence: confidenceWatch(config.confidenceWatch),
  };
}

/** One that sets neither watches nothing. */
function confidenceWatch(watch: StageConfig["confidenceWatch"]): ConfidenceWatch | null {
  const { floor = null, fallPerTurn = null } = watch ?? {};
  return floor === null && fallPerTurn === null ? null : { floor, fallPerTurn };
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
