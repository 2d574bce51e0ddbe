import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  checkMessage,
  type PipelinePolicy,
  SignalboxError,
  PipelinePolicySchema,
  StageConfigSchema,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import {
  type Actor,
  createPipeline,
  type Effect,
  findIdentifierFaults,
  keptTitle,
  type Mark,
  maskedSchemaFaults,
  outputSchemaFaults,
  type PlanFault,
  type Redactor,
  refuseLateTask,
  taskOf,
  type TemplateStage,
} from "@signalbox/core";
import type { BatchTransaction } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { commitOnce } from "../once/commit-once.ts";
import { type KeptForm, plainForm } from "../once/kept-form.ts";
import type { Engine } from "../engine.ts";
import { changedPlaces, maskedLinkFaults, type Placed } from "../masked-links.ts";
import { refuseHalfPairs } from "../storable.ts";
import type { Asked } from "../system.ts";
import type { HeldPipeline, NewTask } from "./draft.ts";
import { maskMessage } from "./mask-message.ts";
import type { ActiveTemplate } from "./templates.ts";
import type { Beginning } from "./work.ts";

export type SubmittedTask = { readonly pipelineId: string; readonly traceId: string };

const form: KeptForm<SubmittedTask> = {
  ...plainForm<SubmittedTask>(),
  pipelineIdOf: ({ pipelineId }) => pipelineId,
};

/** What a pipeline is made of: an active template, or one stage for a bare task type. */
export type Outline = {
  readonly pipelineName: string;
  readonly templateId: string;
  readonly templateVersion: string;
  readonly policy: PipelinePolicy | undefined;
  readonly stages: readonly TemplateStage[];
};

/** Starts a pipeline: pinned to its template as it is active now, its first stages sent in the same transaction. */
export async function submitTask(
  engine: Engine,
  asked: Asked,
  submission: TaskSubmission,
): Promise<SubmittedTask> {
  const { caller } = asked;
  authorise(caller, "task.submit", undefined);
  checkMessage(TaskSubmissionSchema, submission);
  refuseUnfitIds(submission);
  refuseBlankTitle(submission);
  refuseUnusableSchema(submission);
  const key = { tenantId: caller.tenantId, pipelineId: engine.newId() };
  const traceId = engine.newTraceId();
  let outline: Outline | "no-template" | undefined;
  const beginning: Beginning<SubmittedTask> = {
    kind: "beginning",
    key,
    prepare: async (tx) => {
      const { case: way = "taskType", value = "" } = submission.work;
      outline = (await outlineFor(engine, tx, key.tenantId, { case: way, value })) ?? "no-template";
    },
    begin({ now, redactor }) {
      if (outline === undefined) throw new Error("a task was begun before its template was read");
      if (outline === "no-template") throw noTemplate(submission.work.value ?? "");
      const { pipelineId } = key;
      const begun = beginPipeline(outline, {
        submission,
        redactor,
        submitter: caller.actor,
        pipelineId,
        traceId,
        now,
      });
      return { ...begun, value: { pipelineId, traceId } };
    },
  };
  return commitOnce(engine, asked, form, beginning);
}

type Wanted = {
  readonly submission: TaskSubmission;
  readonly redactor: Redactor;
  readonly submitter: Actor;
  readonly pipelineId: string;
  readonly traceId: string;
  readonly now: number;
  /** The routing policy that accepted it, where it is to be judged by that one. */
  readonly policyVersion?: string;
  /** The pack to which the task is addressed. */
  readonly onlyPackId?: string | undefined;
};

/** The pipeline as it begins, whoever asked for it; masked before anything is decided. */
export function beginPipeline(
  outline: Outline,
  { submission, redactor, submitter, pipelineId, traceId, now, policyVersion, onlyPackId }: Wanted,
): { held: HeldPipeline; effects: readonly Effect[]; task: NewTask } {
  const { message, json, marks } = maskMessage(redactor, TaskSubmissionSchema, submission);
  refuseMaskedSchema(message, marks);
  const text = JSON.stringify(json);
  refuseHalfPairs(text);
  refuseMaskedNames(submission, message);
  const { stages, ...named } = outline;
  const { taskId: sourceTaskId = "", title = "" } = message.contract ?? {};
  const deadline = message.execution?.deadline;
  const taskDeadlineAt = deadline && timestampMs(deadline);
  refuseLateTask(taskDeadlineAt, now, "execution.deadline");
  const definition = { ...named, stages, pipelineId, sourceTaskId, submitter, taskDeadlineAt, policyVersion };
  const creation = createPipeline(definition, now, { onlyPackId, title });
  if (creation.kind === "refused") throw unusable(outline, creation.faults);
  const { state, effects } = creation;
  const configs = new Map(stages.map(({ stageId, config }) => [stageId, config]));
  const task = taskOf(
    message,
    state.plan.stages.map(({ stageId }) => configs.get(stageId)),
  );
  return { held: { state, traceId, task }, effects, task: { submission: text, title: keptTitle(title) } };
}

/** Undefined where there is no such template. */
export async function outlineFor(
  { templates }: Pick<Engine, "templates">,
  tx: BatchTransaction,
  tenantId: string,
  { case: way, value }: { readonly case: "taskType" | "templateId"; readonly value: string },
): Promise<Outline | undefined> {
  return way === "taskType"
    ? bareStage(value)
    : outlineOf(value, await templates.active(tx, tenantId, value));
}

function outlineOf(templateId: string, found: ActiveTemplate | undefined): Outline | undefined {
  if (found === undefined) return undefined;
  const { version, template } = found;
  const { name, policy, stages } = template;
  return { pipelineName: name, templateId, templateVersion: version, policy, stages };
}

/** A task of one stage, for a task type without a template: tried again once (SACP-51), then a person is asked. */
const bareStage = (taskType: string): Outline => ({
  pipelineName: taskType,
  templateId: "",
  templateVersion: "",
  policy: create(PipelinePolicySchema, { maxTotalRetries: 1 }),
  stages: [
    { stageId: "task", stageName: taskType, taskType, config: create(StageConfigSchema, { required: true }) },
  ],
});

const noTemplate = (templateId: string): SignalboxError =>
  new SignalboxError("VALIDATION_FAILED", `There is no active template "${templateId}".`, {
    violations: [
      {
        field: "templateId",
        rule: "active_template",
        message: `"${templateId}" is in no active version of the pipeline templates`,
      },
    ],
  });

/** A name finds a route, a template or the task itself, and a reference leads somewhere, so that none can be masked. */
function refuseMaskedNames(sent: TaskSubmission, masked: TaskSubmission): void {
  if (masked === sent) return;
  const violations = [
    ...changedPlaces(names(sent), names(masked)).map((field) => ({
      field,
      rule: "no_secret",
      message: "looks like a secret; names are kept and shown as they are",
    })),
    ...maskedLinkFaults(links(sent), links(masked)),
  ];
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The task names a secret.", { violations });
}

const names = ({ work, contract }: TaskSubmission): Placed => [
  [work.case ?? "templateId", work.value ?? ""],
  ["contract.taskId", contract?.taskId ?? ""],
];

const links = ({ refs }: TaskSubmission): Placed =>
  refs.flatMap(({ uriOrLocator, versionOrSha, digest }, index) => [
    [`refs[${index}].uriOrLocator`, uriOrLocator],
    [`refs[${index}].versionOrSha`, versionOrSha],
    [`refs[${index}].digest`, digest],
  ]);

/** SACP-50, SACP-52: as a template's is when it is drafted. */
function refuseUnusableSchema({ outputSchema }: TaskSubmission): void {
  const faults = outputSchema === undefined ? [] : outputSchemaFaults(outputSchema);
  if (faults.length === 0) return;
  throw new SignalboxError("VALIDATION_FAILED", "The output schema cannot be used.", {
    violations: faults.map(({ path, message }) => ({
      field: ["outputSchema", ...path].join("."),
      rule: "json_schema",
      message,
    })),
  });
}

/** SACP-53 */
function refuseMaskedSchema({ outputSchema }: TaskSubmission, marks: readonly Mark[]): void {
  const violations =
    outputSchema === undefined ? [] : maskedSchemaFaults(outputSchema, marks, "outputSchema");
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The output schema cannot be used.", { violations });
}

/** A template is checked when it is published; one that came in by another way is refused whole. */
const unusable = ({ templateId }: Outline, faults: readonly PlanFault[]): SignalboxError =>
  new SignalboxError("VALIDATION_FAILED", `Template "${templateId}" cannot be run.`, {
    violations: faults.map((fault) => ({
      field: "templateId",
      rule: fault.fault,
      message: JSON.stringify(fault),
    })),
  });

/** A person recognises the task by it, in every list; the contract's own rule lets spaces pass. */
function refuseBlankTitle({ contract }: TaskSubmission): void {
  if (contract === undefined || contract.title.trim() !== "") return;
  const message = "has nothing but spaces; it must say in a line what is to be done";
  throw new SignalboxError("VALIDATION_FAILED", "The task has no title.", {
    violations: [{ field: "contract.title", rule: "blank", message }],
  });
}

/** NAME-1 */
function refuseUnfitIds({ contract, work }: TaskSubmission): void {
  const violations = [
    ...findIdentifierFaults("contract.taskId", contract?.taskId ?? ""),
    ...findIdentifierFaults(work.case ?? "templateId", work.value ?? ""),
  ];
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The task is named as nothing can be.", { violations });
}
