import type { JsonObject } from "@bufbuild/protobuf";
import type { Violation } from "@signalbox/contracts";
import type { Mark } from "../redaction/redact-value.ts";
import { compileOutputSchema, type SchemaFault } from "./output-schema.ts";

/** The kinds of value that JSON has; an integer is a number. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";
const allKinds: readonly JsonKind[] = ["object", "array", "string", "number", "boolean", "null"];

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];
type Found = SchemaFault | undefined;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberIn = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const shown = (kinds: readonly JsonKind[]): string => kinds.join(" or ");

const kindOf = (value: unknown): JsonKind => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
};

/**
 * SACP-52: where a schema asks for what no value of these kinds can be, as far as that shows in one look at each of its
 * parts. What it does not see is judged when the answer comes; what it tells is so. For a schema that is one.
 */
export const findUnmeetable = (schema: unknown, kinds: readonly JsonKind[] = allKinds): Found =>
  look(schema, kinds, []);

/** SACP-50: what makes a schema none that answers can be judged by. */
export function compiledSchemaFaults(schema: JsonObject): readonly SchemaFault[] {
  const found = compileOutputSchema(schema);
  return found.kind === "faulty" ? found.faults : [];
}

/** SACP-50, SACP-52: every fault of a schema for an answer's `data`, which is an object. */
export function outputSchemaFaults(schema: JsonObject): readonly SchemaFault[] {
  const faults = compiledSchemaFaults(schema);
  if (faults.length > 0) return faults;
  const unmeetable = findUnmeetable(schema, ["object"]);
  return unmeetable === undefined ? [] : [unmeetable];
}

/**
 * SACP-53: what makes a schema none once it is masked, such as a member that is called `token`: an answer would be masked under that
 * name too. For the marks of the whole that holds the schema, which stands there under `field`.
 */
export function maskedSchemaFaults(
  masked: JsonObject,
  marks: readonly Mark[],
  field: string,
): readonly Violation[] {
  if (compiledSchemaFaults(masked).length === 0) return [];
  return marks
    .filter(({ path }) => path.startsWith(`${field}.`))
    .map(({ path, rule }) => ({
      field: path,
      rule: "masked",
      message: `is masked by the redaction policy (${rule}), and so is what an answer gives under that name; call it otherwise`,
    }));
}

function look(schema: unknown, allowed: readonly JsonKind[], path: Path): Found {
  if (schema === false) return { path, message: "lets nothing through" };
  if (!isSchema(schema)) return undefined;
  const kinds = allowed.filter((kind) => typeAllows(schema["type"], kind));
  if (kinds.length === 0) {
    return {
      path: [...path, "type"],
      message: `is ${JSON.stringify(schema["type"])}, but it is always ${shown(allowed)}`,
    };
  }
  const found = namedValues(schema, kinds, path) ?? combined(schema, kinds, path);
  if (found !== undefined) return found;
  const faults = kinds.map((kind) => ofKind(schema, kind, path));
  return faults.includes(undefined) ? undefined : faults[0];
}

const typeAllows = (type: unknown, kind: JsonKind): boolean =>
  type === undefined ||
  (Array.isArray(type) ? type : [type]).some(
    (one) => one === kind || (one === "integer" && kind === "number"),
  );

/** `const` and `enum`: whether one of the values that are named can be meant. */
function namedValues(schema: Schema, kinds: readonly JsonKind[], path: Path): Found {
  const isNamed = Object.hasOwn(schema, "const");
  const values = isNamed ? [schema["const"]] : Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (values === undefined) return undefined;
  const keyword = isNamed ? "const" : "enum";
  const among = isNamed && Array.isArray(schema["enum"]) ? new Set<unknown>(schema["enum"]) : undefined;
  const possible = values.filter(
    (value) =>
      kinds.includes(kindOf(value)) &&
      // Of objects nobody says here whether they are the same.
      (among === undefined || among.has(value) || Object(value) === value) &&
      inBounds(schema, value),
  );
  if (possible.length > 0) return undefined;
  const why =
    among === undefined
      ? `no value of it is ${shown(kinds)} within the bounds beside it`
      : 'no value of it is also in "enum"';
  return { path: [...path, keyword], message: `cannot be met: ${why}` };
}

function inBounds(schema: Schema, value: unknown): boolean {
  if (typeof value === "number")
    return !isOutside(value, schema) && (schema["type"] !== "integer" || Number.isInteger(value));
  if (typeof value !== "string") return true;
  const length = Array.from(value).length;
  return (
    length >= (numberIn(schema["minLength"]) ?? 0) && length <= (numberIn(schema["maxLength"]) ?? Infinity)
  );
}

const isOutside = (value: number, schema: Schema): boolean =>
  value < (numberIn(schema["minimum"]) ?? -Infinity) ||
  value > (numberIn(schema["maximum"]) ?? Infinity) ||
  value <= (numberIn(schema["exclusiveMinimum"]) ?? -Infinity) ||
  value >= (numberIn(schema["exclusiveMaximum"]) ?? Infinity);

function combined(schema: Schema, kinds: readonly JsonKind[], path: Path): Found {
  let left = kinds;
  for (const [index, part] of listIn(schema["allOf"]).entries()) {
    const found = look(part, left, [...path, "allOf", index]);
    if (found !== undefined) return found;
    if (isSchema(part)) left = left.filter((kind) => typeAllows(part["type"], kind));
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const parts = listIn(schema[keyword]);
    if (parts.length === 0) continue;
    const faults = parts.flatMap((part, index) => look(part, left, [...path, keyword, index]) ?? []);
    if (faults.length === parts.length) {
      return {
        path: [...path, keyword],
        message: `cannot be met in any of its ways: ${faults[0]?.message ?? ""}`,
      };
    }
  }
  const not = schema["not"];
  const refusesAll = not === true || (isSchema(not) && Object.keys(not).length === 0);
  return refusesAll ? { path: [...path, "not"], message: "refuses everything" } : undefined;
}

function ofKind(schema: Schema, kind: JsonKind, path: Path): Found {
  if (kind === "object") return ofObject(schema, path);
  if (kind === "array") return ofArray(schema, path);
  if (kind === "string") return order(schema, "minLength", "maxLength", path);
  return kind === "number" ? ofNumber(schema, path) : undefined;
}

function ofObject(schema: Schema, path: Path): Found {
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  const closed = schema["additionalProperties"] === false && schema["patternProperties"] === undefined;
  const required = listIn(schema["required"]).filter((name) => typeof name === "string");
  for (const [index, name] of required.entries()) {
    if (Object.hasOwn(properties, name)) {
      const found = look(properties[name], allKinds, [...path, "properties", name]);
      if (found !== undefined) return found;
    } else if (closed) {
      const message = `names ${JSON.stringify(name)}, which is not in "properties", and "additionalProperties" is false`;
      return { path: [...path, "required", index], message };
    }
  }
  const most = numberIn(schema["maxProperties"]);
  if (most !== undefined && required.length > most) {
    return { path: [...path, "maxProperties"], message: `is ${most}, but ${required.length} are required` };
  }
  const least = numberIn(schema["minProperties"]) ?? 0;
  const known = Object.keys(properties).length;
  if (closed && least > known) {
    return { path: [...path, "minProperties"], message: `is ${least}, but only ${known} are allowed` };
  }
  return order(schema, "minProperties", "maxProperties", path);
}

function ofArray(schema: Schema, path: Path): Found {
  const least = numberIn(schema["minItems"]) ?? 0;
  const first = listIn(schema["prefixItems"]);
  for (const [index, part] of first.slice(0, least).entries()) {
    const found = look(part, allKinds, [...path, "prefixItems", index]);
    if (found !== undefined) return found;
  }
  if (least > first.length) {
    const found = look(schema["items"], allKinds, [...path, "items"]);
    if (found !== undefined)
      return { ...found, message: `${found.message}, and at least ${least} are wanted` };
  }
  if (schema["contains"] !== undefined && schema["minContains"] !== 0) {
    const found = look(schema["contains"], allKinds, [...path, "contains"]);
    if (found !== undefined) return found;
  }
  return order(schema, "minItems", "maxItems", path);
}

function ofNumber(schema: Schema, path: Path): Found {
  const low = Math.max(
    numberIn(schema["minimum"]) ?? -Infinity,
    numberIn(schema["exclusiveMinimum"]) ?? -Infinity,
  );
  const high = Math.min(
    numberIn(schema["maximum"]) ?? Infinity,
    numberIn(schema["exclusiveMaximum"]) ?? Infinity,
  );
  const touches = low === high && isOutside(low, schema);
  return low > high || touches
    ? { path, message: `wants a number that is at least ${low} and at most ${high}` }
    : undefined;
}

function order(schema: Schema, low: string, high: string, path: Path): Found {
  const [least, most] = [numberIn(schema[low]), numberIn(schema[high])];
  if (least === undefined || most === undefined || least <= most) return undefined;
  return { path: [...path, low], message: `is ${least}, and "${high}" is ${most}` };
}
