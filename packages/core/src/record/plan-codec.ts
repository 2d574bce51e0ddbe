import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { ContextPropagationMode, FailureStrategy } from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import type {
  EdgePlan,
  PipelinePlan,
  PolicyPlan,
  PropagationPlan,
  RetryPlan,
  StagePlan,
} from "../pipeline/plan.ts";
import type { ConfidenceWatch } from "../saop/confidence.ts";
import { count, enumName, flag, listOf, nullable, type ObjectCodec, quantity, text, word } from "./codec.ts";
import { marked } from "./format.ts";
import { RecordFault } from "./record-fault.ts";
import { always, shape, unless } from "./shape.ts";

const policy = shape<PolicyPlan>({
  maxTotalRetries: unless(0, count),
  maxRejections: unless(0, count),
  deadlineMs: unless(null, nullable(quantity)),
  failureStrategy: always(enumName<FailureStrategy>(FailureStrategy)),
  requireAllStages: unless(false, flag),
});

const propagation = shape<PropagationPlan>({
  mode: always(enumName<ContextPropagationMode>(ContextPropagationMode)),
  carryFields: unless([], listOf(text)),
  carryArtifacts: unless(false, flag),
  carryDecisions: unless(false, flag),
  carryRisks: unless(false, flag),
});

const retry = shape<RetryPlan>({
  maxAttempts: always(count),
  initialBackoffMs: unless(0, quantity),
  backoffMultiplier: always(quantity),
  maxBackoffMs: always(quantity),
});

/** A stage's place, and who waits for it, follow from the list; what is not written cannot contradict. */
type WrittenStage = Omit<StagePlan, "stageOrder" | "dependents">;
type WrittenPlan = Omit<PipelinePlan, "stages"> & { readonly stages: readonly WrittenStage[] };

const edge = shape<EdgePlan>({ to: always(text), condition: unless("", text) });

const stage = shape<WrittenStage>({
  stageId: always(text),
  stageName: always(text),
  taskType: always(text),
  required: unless(false, flag),
  dependsOn: unless([], listOf(count)),
  edges: unless([], listOf(edge)),
  join: unless("all", word({ all: true, any: true })),
  propagation: always(propagation),
  retry: always(retry),
  confidence: unless(
    null,
    nullable(
      shape<ConfidenceWatch>({
        floor: unless(null, nullable(quantity)),
        fallPerTurn: unless(null, nullable(quantity)),
      }),
    ),
  ),
});

const stageList = listOf(stage);
/** By the plans of a template's stages, which its pipelines share: each is written twice for every one that begins. */
const writtenBefore = new WeakMap<readonly WrittenStage[], JsonValue>();

function writeStages(plans: readonly WrittenStage[]): JsonValue {
  const json = writtenBefore.get(plans) ?? stageList.write(plans);
  writtenBefore.set(plans, json);
  return json;
}

const written = shape<WrittenPlan>({
  pipelineId: always(text),
  pipelineName: always(text),
  templateId: always(text),
  templateVersion: always(text),
  sourceTaskId: always(text),
  submitter: always(
    shape<Actor>({ type: always(word({ human: true, agent: true, system: true })), id: always(text) }),
  ),
  policyVersion: unless(null, nullable(text)),
  taskDeadlineAt: unless(null, nullable(quantity)),
  policy: always(policy),
  stages: always({ write: writeStages, read: stageList.read }),
});

export const planCodec: ObjectCodec<PipelinePlan> = marked<PipelinePlan>({
  fill: written.fill,
  read: (json) => {
    const plan = written.read(json);
    const dependents: number[][] = plan.stages.map(() => []);
    for (const [order, { dependsOn }] of plan.stages.entries()) {
      for (const earlier of dependsOn) {
        if (earlier >= order) {
          throw new RecordFault(
            `depends on stage ${earlier}, which does not come before it`,
            `stages[${order}]`,
          );
        }
        dependents[earlier]?.push(order);
      }
    }
    const stages = plan.stages.map((one, stageOrder) => ({
      ...one,
      stageOrder,
      dependents: dependents[stageOrder] ?? [],
    }));
    return { ...plan, stages };
  },
});

export const planJson = (plan: PipelinePlan): JsonObject => planCodec.write(plan);
export const readPlan = (json: unknown): PipelinePlan => planCodec.read(json);
