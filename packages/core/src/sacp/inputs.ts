import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { allowedNames } from "../documents/nearest-name.ts";
import { compileExpression, type Expression, type ExpressionFault, newEnvironment } from "./expression.ts";

/** What placeholders may look at of an earlier stage; a field that it did not give is absent. A thought is for people only. */
export type StageValues = {
  readonly status: string;
  readonly data: object;
  readonly message?: string;
  readonly next_step_hint?: string;
};

export type InputFault = ExpressionFault & {
  readonly path: readonly (string | number)[];
  readonly placeholder: string;
};

type Placeholder = { readonly text: string; readonly expression: Expression };
type Filling =
  | { readonly kind: "plain"; readonly value: JsonValue }
  | { readonly kind: "value"; readonly placeholder: Placeholder }
  | { readonly kind: "text"; readonly parts: readonly (string | Placeholder)[] }
  | { readonly kind: "list"; readonly items: readonly Filling[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Filling])[] };

export type CompiledInputs = { readonly filling: Filling; readonly names: ReadonlyMap<string, string> };

export type Filled =
  | { readonly kind: "filled"; readonly inputs: JsonObject }
  | { readonly kind: "unfilled"; readonly placeholder: string; readonly problem: string };

/** The most characters of JSON that inputs may come to: an envelope is no place for a whole data set. */
const LARGEST_INPUTS = 262_144;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop namespace null package return true var void while has all exists exists_one map filter size type dyn int uint double string bool bytes list timestamp duration".split(
    " ",
  ),
);

/** SACP-30 (D11): what a template says of a stage's inputs, with every placeholder compiled over the stages that come before it. */
export function compileInputs(
  inputs: JsonObject,
  stageIds: readonly string[],
): { readonly compiled: CompiledInputs; readonly faults: readonly InputFault[] } {
  const faults: InputFault[] = [];
  // An id that CEL could not read as a name has another one inside, and may begin a placeholder all the same.
  const names = new Map(
    stageIds.map((id, place) => [id, IDENTIFIER.test(id) && !RESERVED.has(id) ? id : `stage_${place}_`]),
  );
  const environment = newEnvironment().registerType("Stage", {
    schema: { status: "string", data: "map<string, dyn>", message: "string", next_step_hint: "string" },
  });
  for (const name of names.values()) environment.registerVariable(name, "Stage");

  function compile(value: JsonValue, path: readonly (string | number)[]): Filling {
    if (typeof value === "string") return compileText(value, path);
    if (Array.isArray(value)) {
      return { kind: "list", items: value.map((item, index) => compile(item, [...path, index])) };
    }
    if (typeof value !== "object" || value === null) return { kind: "plain", value };
    const members = Object.entries(value).map(
      ([key, inner]) => [key, compile(inner, [...path, key])] as const,
    );
    return { kind: "object", members };
  }

  function compileText(text: string, path: readonly (string | number)[]): Filling {
    const parts: (string | Placeholder)[] = [];
    let at = 0;
    for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", at)) {
      const close = text.indexOf("}}", open + 2);
      if (close === -1) {
        faults.push({
          path,
          placeholder: text.slice(open),
          offset: open,
          message: "is opened by {{ and never closed by }}",
        });
        return { kind: "plain", value: text };
      }
      if (open > at) parts.push(text.slice(at, open));
      const placeholder = compilePlaceholder(text.slice(open, close + 2), open, path);
      if (placeholder === undefined) return { kind: "plain", value: text };
      parts.push(placeholder);
      at = close + 2;
    }
    if (parts.length === 0) return { kind: "plain", value: text };
    if (at < text.length) parts.push(text.slice(at));
    const [only] = parts;
    return parts.length === 1 && typeof only === "object"
      ? { kind: "value", placeholder: only }
      : { kind: "text", parts };
  }

  function compilePlaceholder(
    text: string,
    offset: number,
    path: readonly (string | number)[],
  ): Placeholder | undefined {
    const fault = (message: string): undefined =>
      void faults.push({ path, placeholder: text, offset, message });
    const inside = text.slice(2, -2).trim();
    const [id, name] = [...names].find(([one, other]) => one !== other && inside.startsWith(`${one}.`)) ?? [];
    const found = compileExpression(
      environment,
      id === undefined ? inside : `${name}${inside.slice(id.length)}`,
    );
    if (found.kind === "faulty") return fault(saidOfStages(found.fault.message, stageIds));
    return { text, expression: found.expression };
  }

  return { compiled: { filling: compile(inputs, []), names }, faults };
}

const UNKNOWN = /^Unknown variable: (?<name>.*)$/;

function saidOfStages(message: string, stageIds: readonly string[]): string {
  const name = UNKNOWN.exec(message)?.groups?.["name"];
  if (name === undefined) return message;
  if (stageIds.length === 0) return `no stage comes before this one, so there is no "${name}"`;
  return `"${name}" is no stage that comes before this one. ${allowedNames(name, stageIds)}`;
}

class Unfilled extends Error {
  readonly placeholder: string;

  constructor(placeholder: string, why: string) {
    super(why);
    this.placeholder = placeholder;
  }
}

/** SACP-31, SACP-32 (D11): the inputs with every placeholder filled, its value's type kept; or the first one that has no value. */
export function fillInputs(
  { filling, names }: CompiledInputs,
  stages: ReadonlyMap<string, StageValues>,
): Filled {
  const values = Object.fromEntries(
    [...names].flatMap(([id, name]) => (stages.has(id) ? [[name, stages.get(id)]] : [])),
  );

  function valueOf({ text, expression }: Placeholder): JsonValue {
    const found = expression.evaluate(values);
    if (found.kind === "none") throw new Unfilled(text, found.why);
    return jsonOf(found.value, text);
  }

  function fill(part: Filling): JsonValue {
    switch (part.kind) {
      case "plain":
        return part.value;
      case "value":
        return valueOf(part.placeholder);
      case "text":
        return part.parts
          .map((one) => (typeof one === "string" ? one : textOf(valueOf(one), one.text)))
          .join("");
      case "list":
        return part.items.map(fill);
      case "object":
        return Object.fromEntries(part.members.map(([key, inner]) => [key, fill(inner)]));
    }
  }

  try {
    const inputs = fill(filling);
    const { length } = JSON.stringify(inputs);
    if (length > LARGEST_INPUTS) {
      throw new Unfilled("inputs", `come to ${length} characters; at most ${LARGEST_INPUTS} are sent`);
    }
    return { kind: "filled", inputs: isObject(inputs) ? inputs : {} };
  } catch (error) {
    if (!(error instanceof Unfilled)) throw error;
    return { kind: "unfilled", placeholder: error.placeholder, problem: error.message };
  }
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value of an expression as JSON; whole numbers that CEL counted itself are its integers. */
function jsonOf(value: unknown, placeholder: string): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, placeholder));
  if (typeof value === "object" && isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonOf(inner, placeholder)]));
  }
  throw new Unfilled(placeholder, "is a value that JSON has not");
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function textOf(value: JsonValue, placeholder: string): string {
  if (typeof value === "string") return value;
  if (value === null) throw new Unfilled(placeholder, "is null, of which no text can be made");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
