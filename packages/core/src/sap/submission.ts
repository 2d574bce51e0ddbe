import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  Priority,
  RefType,
  SignalboxError,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import type { Task } from "@signalbox/contracts/sap";
import type { CapabilityRule, SapSection } from "../documents/sap-section.ts";
import { clip } from "../pipeline/context/bounded-text.ts";
import { refuseLateTask } from "../pipeline/late-task.ts";
import type { Mark } from "../redaction/redact-value.ts";
import { compileOutputSchema } from "../sacp/output-schema.ts";
import { findUnmeetable, type JsonKind, maskedSchemaFaults } from "../sacp/unmeetable-schema.ts";
import { tierOf } from "./pressure.ts";

const priorities = {
  low: Priority.LOW,
  normal: Priority.NORMAL,
  high: Priority.HIGH,
  urgent: Priority.CRITICAL,
} as const;

const SOURCE = "sap:";
const LONGEST_CONTEXT = 16_000;

/** By what a pipeline is known to be a SAP task's, whoever loads it. */
export const sourceTaskId = (taskId: string): string => `${SOURCE}${taskId}`;
export const isSapSource = (named: string): boolean => named.startsWith(SOURCE);

const deadlineOf = ({ telemetry }: Task): number | undefined =>
  telemetry?.deadline === undefined ? undefined : Date.parse(telemetry.deadline);

/** SAP-10: whatever would be made of it. */
export const refuseLateSapTask = (task: Task, now: number): void =>
  refuseLateTask(deadlineOf(task), now, "telemetry.deadline");

/** SAP-7, SAP-8: the task as every other submission is made. */
export function submissionOf(
  task: Task,
  rule: CapabilityRule,
  section: SapSection | undefined,
  now: number,
): TaskSubmission {
  const { constitutionalContext: context, telemetry, target, outputContract, attachments = [] } = task;
  const deadline = deadlineOf(task);
  refuseLateSapTask(task, now);
  const seconds = telemetry?.budget?.["seconds"];
  const asksForData =
    rule.work.case === "taskType" &&
    outputContract !== undefined &&
    (outputContract.format ?? "json") === "json";
  return create(TaskSubmissionSchema, {
    work: rule.work,
    contract: {
      taskId: sourceTaskId(task.taskId),
      title: titleOf(task),
      ownerDomain: context.territory ?? "",
      acceptanceCriteria: context.objectives?.length
        ? context.objectives
        : [`"${target.capability}" is done for the payload given`],
      definitionOfDone: context.constraints ?? [],
    },
    refs: [
      ...(context.references ?? []).map(refOf),
      ...attachments.flatMap(({ uri, digest }) => (uri ? [{ ...refOf(uri), digest: digest ?? "" }] : [])),
    ],
    execution: {
      riskTier: tierOf(context, section?.principles ?? []),
      priority: priorities[telemetry?.priority ?? "normal"],
      ...(deadline === undefined ? {} : { deadline: timestampFromMs(deadline) }),
      ...(typeof seconds === "number" ? { timeout: durationFromMs(Math.ceil(seconds * 1_000)) } : {}),
    },
    contextIn: contextOf(task, section),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read from JSON
    inputs: task.payload as TaskSubmission["inputs"] & object,
    ...(asksForData ? { responseFormat: "json_standard", ...schemaOf(outputContract.schema) } : {}),
  });
}

function schemaOf(
  schema: Readonly<Record<string, unknown>> | undefined,
): Partial<Pick<TaskSubmission, "outputSchema">> {
  if (schema === undefined) return {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read from JSON
  const outputSchema = schema as NonNullable<TaskSubmission["outputSchema"]>;
  return { outputSchema };
}

/** SAP-9, SAP-12: a schema that could never be asked for, or met, is told before anything begins. */
export function refuseUnusableContract({ outputContract }: Task, { work }: CapabilityRule): void {
  if (outputContract?.schema === undefined) return;
  const { outputSchema } = schemaOf(outputContract.schema);
  const found = compileOutputSchema(outputSchema ?? {});
  const unmeetable =
    found.kind === "compiled"
      ? findUnmeetable(outputSchema ?? {}, outputKinds(outputContract, work))
      : undefined;
  const faults = found.kind === "faulty" ? found.faults : unmeetable === undefined ? [] : [unmeetable];
  if (faults.length === 0) return;
  const detail =
    unmeetable === undefined
      ? "The output contract's schema cannot be used."
      : "No output could meet the output contract's schema.";
  throw new SignalboxError("UNROUTABLE", detail, {
    violations: faults.map(({ path, message }) => ({
      field: ["outputContract", "schema", ...path].join("."),
      rule: unmeetable === undefined ? "json_schema" : "meetable",
      message,
    })),
  });
}

/** SACP-53: what nobody could be asked for once it is masked is told before anything begins. */
export function refuseMaskedContract({ outputContract }: Task, marks: readonly Mark[]): void {
  const { outputSchema } = schemaOf(outputContract?.schema);
  const violations =
    outputSchema === undefined ? [] : maskedSchemaFaults(outputSchema, marks, "outputContract.schema");
  if (violations.length > 0)
    throw new SignalboxError("UNROUTABLE", "The output contract's schema cannot be used.", { violations });
}

/** SAP-23: data is an object; what is not asked for as data is text; of several last stages it is an object of these. */
function outputKinds(
  { format = "json" }: NonNullable<Task["outputContract"]>,
  work: CapabilityRule["work"],
): readonly JsonKind[] {
  if (work.case === "templateId") return ["object", "string"];
  return format === "json" ? ["object"] : ["string"];
}

const titleOf = ({ target, constitutionalContext: { objectives } }: Task): string =>
  clip([target.capability, objectives?.[0]].filter(Boolean).join(": "), 200).text;

const refOf = (uriOrLocator: string) => ({
  uriOrLocator,
  refType: /^https?:/i.test(uriOrLocator) ? RefType.URL : RefType.DB_RECORD,
});

/** What an agent has to know besides its contract; a member is left out where nothing was said. */
function contextOf(task: Task, section: SapSection | undefined) {
  const { constitutionalContext: context, target } = task;
  const playbooks = (section?.playbooks ?? []).filter(
    ({ capability, territory }) =>
      capability === target.capability && (territory === undefined || territory === context.territory),
  );
  const lines = [
    context.principles?.length ? `Principles: ${context.principles.join(", ")}` : "",
    context.riskTolerance ? `Risk tolerance: ${context.riskTolerance}` : "",
    ...(context.constraints ?? []).map((constraint) => `Constraint: ${constraint}`),
  ].filter((line) => line !== "");
  return {
    sharedContext: clip(playbooks.map(({ text }) => text).join("\n\n"), 2 * LONGEST_CONTEXT).text,
    taskDelta: clip(lines.join("\n"), LONGEST_CONTEXT).text,
  };
}
