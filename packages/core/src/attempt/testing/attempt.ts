import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ContractSchema,
  type StageConfig,
  StageConfigSchema,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { compileSnapshot } from "../../dispatch/snapshot.ts";
import { instance, manifest, orchestrator, policy, route } from "../../dispatch/testing/registry.ts";
import { claimsOf } from "../../pipeline/claim.ts";
import { stage, type PolicyOptions, type StageOptions } from "../../pipeline/testing/definitions.ts";
import { Run } from "../../pipeline/testing/run.ts";
import type { AttemptFacts } from "../attempt-facts.ts";
import { attemptStage } from "../attempt-stage.ts";
import { taskOf } from "../task.ts";

export type SubmissionInit = Exclude<MessageInitShape<typeof TaskSubmissionSchema>, TaskSubmission>;
export type ConfigInit = Exclude<MessageInitShape<typeof StageConfigSchema>, StageConfig>;

export const submission = (init: SubmissionInit = {}): TaskSubmission =>
  create(TaskSubmissionSchema, {
    work: { case: "templateId", value: "template" },
    contract: create(ContractSchema, {
      taskId: "task-1",
      title: "Mend the login",
      acceptanceCriteria: ["people can sign in"],
    }),
    ...init,
  });

export const configOf = (init: ConfigInit = {}): StageConfig => create(StageConfigSchema, init);

export type Attempted = {
  readonly stages?: readonly [string, StageOptions?][];
  readonly pipeline?: PolicyOptions;
  readonly submission?: SubmissionInit;
  readonly configs?: readonly (ConfigInit | undefined)[];
};

/** A pipeline of stages "a-work" and so on, for each of which the pack "pack" has one idle instance. */
export function attempted({ stages = [["a"]], pipeline, submission: init, configs }: Attempted = {}) {
  const run = new Run(
    stages.map(([stageId, options]) => stage(stageId, options)),
    pipeline,
  );
  const task = taskOf(
    submission(init),
    stages.map((_, place) => {
      const config = configs?.[place];
      return config && configOf(config);
    }),
  );
  return { run, task };
}

export const registry = (taskTypes: readonly string[] = ["a-work", "b-work"]) =>
  compileSnapshot(policy(taskTypes.map((taskType) => route(taskType, ["pack"]))), orchestrator, {
    packs: [manifest("pack")],
    instances: [instance("pack", "pack-1")],
  });

/** What an attempt at a stage gives; `facts` replaces what a test wants otherwise. */
export function attempt(
  { run, task }: ReturnType<typeof attempted>,
  stageId: string,
  now: number,
  facts: Partial<AttemptFacts> = {},
) {
  const claim = claimsOf(run.state, now).find((one) => one.stageId === stageId);
  if (claim === undefined) throw new Error(`${stageId} may not be sent`);
  const whole: AttemptFacts = {
    state: run.state,
    task,
    snapshot: registry(),
    tenantId: "acme",
    traceId: "trace-1",
    queueDepth: 0,
    ahead: 0,
    refreshed: new Map(),
    ...facts,
  };
  return attemptStage(whole, claim, now);
}

/** As `attempt`, where the test is about what was sent. */
export function sent(...args: Parameters<typeof attempt>) {
  const outcome = attempt(...args);
  if (outcome?.kind !== "sent") throw new Error(`not sent, but ${outcome?.kind ?? "nothing"}`);
  return outcome;
}
