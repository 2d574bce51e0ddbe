import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  ContextLevel,
  type Contract,
  type FreshnessPolicy,
  Priority,
  RiskTier,
  type StageConfig,
  StageConfigSchema,
  type TaskSubmission,
} from "@signalbox/contracts";
import { requiredTools } from "../dispatch/required-tools.ts";
import { stageContract } from "./stage-contract.ts";

/** What a pipeline works on: what was submitted, and of each stage what its template says, in stage order. */
export type Task = {
  readonly submission: TaskSubmission;
  readonly timeoutMs: number | undefined;
  readonly priority: Priority;
  readonly riskTier: RiskTier;
  readonly patchSizeLimit: number;
  readonly stages: readonly StageTask[];
};

/** What never changes of a stage's work, made once and asked at every attempt. */
export type StageTask = {
  readonly contract: Contract;
  readonly config: StageConfig | undefined;
  readonly requiredTools: readonly string[];
  readonly freshness: FreshnessPolicy | undefined;
};

export function taskOf(submission: TaskSubmission, configs: readonly (StageConfig | undefined)[]): Task {
  const { contract, execution } = submission;
  if (contract === undefined) throw new TypeError("a task without a contract was let through");
  const own = { contract, requiredTools: requiredTools(contract) };
  return {
    submission,
    timeoutMs: execution?.timeout && durationMs(execution.timeout),
    priority: execution?.priority || Priority.NORMAL,
    riskTier: execution?.riskTier || RiskTier.NORMAL,
    patchSizeLimit: execution?.patchSizeLimit ?? 0,
    stages: configs.map((config) => stageTask(own, bareConfig(submission) ?? config)),
  };
}

/** Of a bare task type there is no template: what its only stage is given and answers is the submission's own to say. */
function bareConfig({ work, inputs, responseFormat, outputSchema }: TaskSubmission): StageConfig | undefined {
  const said = inputs !== undefined || responseFormat !== "" || outputSchema !== undefined;
  if (work.case !== "taskType" || !said) return undefined;
  return create(StageConfigSchema, {
    required: true,
    responseFormat,
    handoffPolicy: { contextLevel: ContextLevel.RICH },
    ...(outputSchema === undefined ? {} : { outputSchema }),
  });
}

type Asked = Pick<StageTask, "contract" | "requiredTools">;

/** Most templates say nothing of the contract: their stages share the task's own, and what follows from it. */
function stageTask(own: Asked, config: StageConfig | undefined): StageTask {
  const contract = stageContract(own.contract, config?.contractTemplate);
  const tools = contract === own.contract ? own.requiredTools : requiredTools(contract);
  return { contract, config, requiredTools: tools, freshness: config?.handoffPolicy?.freshness };
}
