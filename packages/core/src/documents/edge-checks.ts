import type { FieldPath } from "@signalbox/contracts";
import { compileCondition } from "../sacp/condition.ts";
import { outputSchemaFaults } from "../sacp/unmeetable-schema.ts";
import { compileInputs } from "../sacp/inputs.ts";
import { type Finding, readAs } from "./fault.ts";
import { allowedNames } from "./nearest-name.ts";
import { neverStarting } from "./stage-reach.ts";

export type FlowStage = {
  readonly stageId: string;
  /** As the stage names them; an edge to a stage makes a dependency too. */
  readonly dependsOn: readonly string[];
  readonly edges: readonly { readonly target: string | undefined; readonly condition: string | undefined }[];
  readonly joinsAny: boolean;
  readonly inputs: unknown;
  readonly outputSchema: unknown;
  /** It asks for an answer in SACP. */
  readonly answers: boolean;
};

type PathOf = (...path: FieldPath) => FieldPath;
export type SchemaFaults = typeof outputSchemaFaults;

/** SACP-11, SACP-27, SACP-30: what edges, their conditions and mapped inputs say that cannot be, each by its place. */
export function checkFlow(
  stages: readonly FlowStage[],
  requireAllStages: boolean,
  at: PathOf,
  faultsOfSchema: SchemaFaults = outputSchemaFaults,
): Finding[] {
  const ids = stages.map(({ stageId }) => stageId);
  return stages.flatMap((stage, index) => [
    ...checkEdges(stage, ids, requireAllStages, (...path) => at(index, "edges", ...path)),
    ...checkInputs(stage, stages, (...path) => at(index, "inputs", ...path)),
    ...checkSchema(stage, (...path) => at(index, "output_schema", ...path), faultsOfSchema),
  ]);
}

function checkEdges(
  { edges }: FlowStage,
  ids: readonly string[],
  requireAll: boolean,
  at: PathOf,
): Finding[] {
  return edges.flatMap(({ target, condition }, index): Finding[] => {
    const findings: Finding[] = [];
    if (target !== undefined && !ids.includes(target)) {
      const message = `no stage ${readAs(target)} is in this template. ${allowedNames(target, ids)}`;
      findings.push({ path: at(index, "target_stage_id"), at: "value", rule: "unknown_stage", message });
    }
    if (condition === undefined || condition === "") return findings;
    const path = at(index, "condition");
    const found = compileCondition(condition);
    if (found.kind === "faulty") {
      findings.push({ path, at: "value", rule: "expression", message: saidAt(found.fault, condition) });
    }
    if (requireAll) {
      const message =
        "a condition may leave a branch out, and require_all_stages says that no stage may be skipped";
      findings.push({ path, at: "value", rule: "unreachable", message });
    }
    return findings;
  });
}

/** Where in an expression the fault is; the place in the text is where the expression begins. */
export const saidAt = ({ message, offset }: { message: string; offset: number }, text: string): string =>
  offset === 0
    ? `${message}: ${readAs(text)}`
    : `${message}, at character ${offset + 1}: ${readAs(text.slice(offset))}`;

function checkInputs({ stageId, inputs }: FlowStage, stages: readonly FlowStage[], at: PathOf): Finding[] {
  if (!isJsonObject(inputs)) return [];
  const { faults } = compileInputs(inputs, upstreamOf(stageId, stages));
  return faults.map(({ path, placeholder, message }) => ({
    path: at(...path),
    at: "value",
    rule: "expression",
    message: `${message}: ${readAs(placeholder)}`,
  }));
}

type JsonObject = Parameters<typeof compileInputs>[0];
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function checkSchema(
  { outputSchema, answers }: FlowStage,
  at: PathOf,
  faultsOfSchema: SchemaFaults,
): Finding[] {
  if (!isJsonObject(outputSchema)) return [];
  const faults = faultsOfSchema(outputSchema);
  const unasked = answers
    ? []
    : [
        {
          path: [],
          message:
            "is for the data of an answer, and this stage asks for none: say response_format: json_standard",
        },
      ];
  return [...unasked, ...faults].map(({ path, message }) => ({
    path: at(...path),
    at: "value",
    rule: "expression",
    message,
  }));
}

/** What has always ended before a stage begins, in the order of the document. */
function upstreamOf(stageId: string, stages: readonly FlowStage[]): string[] {
  const before = new Set<string>();
  const queue = [stageId];
  for (const id of queue) {
    const sources = stages.flatMap((other) =>
      other.edges.some(({ target }) => target === id) ? other.stageId : [],
    );
    const named = stages.find((other) => other.stageId === id)?.dependsOn ?? [];
    for (const source of [...named, ...sources]) {
      if (before.has(source)) continue;
      before.add(source);
      queue.push(source);
    }
  }
  return stages.map((other) => other.stageId).filter((id) => id !== stageId && before.has(id));
}

/** SACP-28: a stage that no end of the stages before it can start. Asked only of what is else without fault. */
export function checkReach(stages: readonly FlowStage[], order: readonly number[], at: PathOf): Finding[] {
  return neverStarting(stages, order).map((index) => {
    const message =
      `the stage "${stages[index]?.stageId}" can never start: however the stages before it end, too few of the ways to it are taken.` +
      ` Where one of several is enough, say join: ANY`;
    return { path: at(index, "stage_id"), at: "value", rule: "unreachable", message };
  });
}
