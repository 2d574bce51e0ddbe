/** What a template says, as far as it is drawn. It is read from a value of any shape: what is misshapen reads as absent. */
export type Stage = {
  /** Its place in the document, which names it even while two have one id. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly taskType: string;
  readonly required: boolean;
  readonly join: Join;
  readonly waitsFor: readonly string[];
  readonly edges: readonly Edge[];
  /** All that the document says of it, for the form. */
  readonly fields: Fields;
};
type Join = "ALL" | "ANY";
type Edge = { readonly target: string; readonly condition: string };
export type Fields = Readonly<Record<string, unknown>>;

/** A way from one stage to another: a plain dependency, edges, or both. */
export type Line = {
  readonly from: string;
  readonly to: string;
  readonly plain: boolean;
  readonly conditions: readonly string[];
};

export type Template = {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly stages: readonly Stage[];
  readonly lines: readonly Line[];
  readonly policy: Fields;
};
export type Templates = { readonly version: string; readonly templates: readonly Template[] };

export function readTemplates(value: unknown): Templates {
  const document = fieldsOf(fieldsOf(value)["pipeline_templates"]);
  return {
    version: textOf(document["version"]),
    templates: listOf(document["templates"]).map(readTemplate),
  };
}

function readTemplate(value: unknown, index: number): Template {
  const fields = fieldsOf(value);
  const stages = listOf(fields["stages"]).map(readStage);
  return {
    index,
    id: textOf(fields["template_id"]),
    name: textOf(fields["name"]),
    description: textOf(fields["description"]),
    stages,
    lines: linesOf(stages),
    policy: fieldsOf(fields["policy"]),
  };
}

function readStage(value: unknown, index: number): Stage {
  const fields = fieldsOf(value);
  return {
    index,
    id: textOf(fields["stage_id"]),
    name: textOf(fields["stage_name"]),
    taskType: textOf(fields["task_type"]),
    required: fields["required"] === true,
    join: fields["join"] === "ANY" || fields["join"] === "STAGE_JOIN_ANY" ? "ANY" : "ALL",
    waitsFor: listOf(fields["depends_on_stages"]).map(textOf),
    edges: listOf(fields["edges"]).map((edge) => ({
      target: textOf(fieldsOf(edge)["target_stage_id"]),
      condition: textOf(fieldsOf(edge)["condition"]).trim(),
    })),
    fields,
  };
}

/** A line for each pair of stages that has a way, in the order of the document. A stage that is not there has none. */
function linesOf(stages: readonly Stage[]): Line[] {
  const ids = new Set(stages.map(({ id }) => id));
  const lines = new Map<string, { from: string; to: string; plain: boolean; conditions: string[] }>();
  const lineOf = (from: string, to: string) => {
    const key = JSON.stringify([from, to]);
    const found = lines.get(key) ?? { from, to, plain: false, conditions: [] };
    lines.set(key, found);
    return found;
  };
  for (const stage of stages) {
    for (const from of stage.waitsFor) if (ids.has(from)) lineOf(from, stage.id).plain = true;
    for (const { target, condition } of stage.edges) {
      if (ids.has(target)) lineOf(stage.id, target).conditions.push(condition);
    }
  }
  return [...lines.values()];
}

/** For which end of the stage before it a line is. An edge decides over a plain dependency beside it (SACP-26). */
export type LineEnd = "success" | "failure" | "condition";

const FAILURE = /^response\.status\s*==\s*(["'])failure\1$/;

export function endOf({ conditions }: Line): LineEnd {
  if (conditions.every((condition) => condition === "")) return "success";
  return conditions.every((condition) => FAILURE.test(condition)) ? "failure" : "condition";
}

/** Only failures lead to it: it handles them. `leading` are the lines that end at it. */
export const isHandler = (leading: readonly Line[]): boolean =>
  leading.length > 0 && leading.every((line) => endOf(line) === "failure");

/** The stages along a way from one to another, both ends included; undefined where there is none. */
export function wayBetween(lines: readonly Pick<Line, "from" | "to">[], from: string, to: string) {
  const leaving = Map.groupBy(lines, (line) => line.from);
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return wayBack(cameFrom, to);
    for (const line of leaving.get(id) ?? []) if (!cameFrom.has(line.to)) cameFrom.set(line.to, id);
  }
  return undefined;
}

/** The stages that one may lead on to: no line is there yet, and no way leads back from them (200 stages ask at once). */
export function openTargets({ stages, lines }: Pick<Template, "stages" | "lines">, from: string): string[] {
  const arriving = Map.groupBy(lines, ({ to }) => to);
  const closed = new Set([from]);
  for (const id of closed) for (const line of arriving.get(id) ?? []) closed.add(line.from);
  for (const line of lines) if (line.from === from) closed.add(line.to);
  return stages.map(({ id }) => id).filter((id) => !closed.has(id));
}

function wayBack(cameFrom: ReadonlyMap<string, string | undefined>, to: string): string[] {
  const way: string[] = [];
  for (let id: string | undefined = to; id !== undefined; id = cameFrom.get(id)) way.unshift(id);
  return way;
}

export const fieldsOf = (value: unknown): Fields =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object that is no list has named fields
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
