import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import {
  AgentResultSchema,
  ContextPropagationMode,
  FailureStrategy,
  PipelinePolicySchema,
  StageConfigSchema,
  StageJoin,
  type AgentResult,
  type Outcome,
} from "@signalbox/contracts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PipelineDefinition } from "../build-plan.ts";
import { createPipeline } from "../create-pipeline.ts";
import type { Decider } from "../fact.ts";
import type { Judgement } from "../judgement.ts";

export const submitter = { type: "human", id: "submitter" } as const;
export const approver: Decider = { type: "human", id: "approver" };

export const reporter: Decider = { type: "agent", id: "reporter" };

export type StageOptions = {
  readonly dependsOn?: readonly string[];
  readonly required?: boolean;
  readonly maxAttempts?: number;
  readonly backoffMs?: number;
  /** By target; an empty condition is for success. */
  readonly edges?: Readonly<Record<string, string>>;
  readonly join?: StageJoin;
  readonly propagation?: MessageInitShape<typeof StageConfigSchema>["contextPropagation"];
};

export function stage(stageId: string, options: StageOptions = {}): PipelineDefinition["stages"][number] {
  return {
    stageId,
    stageName: "",
    taskType: `${stageId}-work`,
    config: create(StageConfigSchema, {
      required: options.required ?? true,
      dependsOnStages: [...(options.dependsOn ?? [])],
      handoffPolicy: {
        retry: {
          maxAttempts: options.maxAttempts ?? 2,
          initialBackoff: durationFromMs(options.backoffMs ?? 0),
        },
      },
      edges: Object.entries(options.edges ?? {}).map(([targetStageId, condition]) => ({
        targetStageId,
        condition,
      })),
      join: options.join ?? StageJoin.UNSPECIFIED,
      contextPropagation: options.propagation ?? { mode: ContextPropagationMode.NONE },
    }),
  };
}

export type PolicyOptions = {
  readonly strategy?: FailureStrategy;
  readonly maxTotalRetries?: number;
  readonly maxRejections?: number;
  readonly deadlineMs?: number;
  readonly requireAllStages?: boolean;
  /** Without it it is a task type's, which has no template. */
  readonly templateId?: string;
  readonly taskDeadlineAt?: number | undefined;
};

export function definitionOf(
  stages: PipelineDefinition["stages"],
  options: PolicyOptions = {},
): PipelineDefinition {
  return {
    pipelineId: "pl-1",
    pipelineName: "A pipeline",
    templateId: options.templateId ?? "template",
    templateVersion: "1.0.0",
    sourceTaskId: "task-1",
    submitter,
    taskDeadlineAt: options.taskDeadlineAt,
    policy: create(PipelinePolicySchema, {
      maxTotalRetries: options.maxTotalRetries ?? 4,
      maxRejections: options.maxRejections ?? 2,
      failureStrategy: options.strategy ?? FailureStrategy.PAUSE,
      requireAllStages: options.requireAllStages ?? false,
      ...(options.deadlineMs === undefined ? {} : { pipelineDeadline: durationFromMs(options.deadlineMs) }),
    }),
    stages,
  };
}

export function created(definition: PipelineDefinition, now = 0) {
  const creation = createPipeline(definition, now);
  if (creation.kind !== "created") throw new Error(JSON.stringify(creation.faults));
  return creation;
}

export type ResultInit = Pick<
  Exclude<MessageInitShape<typeof AgentResultSchema>, AgentResult>,
  "artifacts" | "blockers" | "contextOut" | "response" | "status"
>;

export function resultOf(outcome: Outcome, init: ResultInit = {}): AgentResult {
  return create(AgentResultSchema, {
    status: { outcome, failureCode: "CODE", failureReason: "why" },
    ...init,
  });
}

const passing = { checks: [{ gateName: "tests", passed: true, evidence: "all green" }], tier: "LOW" };
const failing = {
  checks: [
    { gateName: "tests", passed: false, evidence: "1 of 9 failed" },
    { gateName: "build", passed: true, evidence: "built" },
  ],
  tier: "LOW",
};

export const verdicts = {
  advance: { verdict: "advance", gate: passing, rationale: "all checks pass" },
  retry: { verdict: "retry", gate: failing, rationale: "a test fails", instructions: "mend the test" },
  fail: { verdict: "fail", gate: failing, rationale: "the approach is wrong" },
  ask: { verdict: "ask", gate: passing, problem: "Is this enough?", recommended: "advance" },
  askAboutBreach: { verdict: "ask", gate: failing, problem: "It ran curl.", recommended: "retry" },
  clarify: { verdict: "clarify", question: "Which of the two?" },
  rejectTo: (targetStageId: string): Judgement => ({
    verdict: "reject",
    gate: failing,
    rationale: `the cause is in ${targetStageId}`,
    targetStageId,
    instructions: "do it otherwise",
  }),
} as const satisfies Record<string, Judgement | ((target: string) => Judgement)>;
