import { type DescField, type DescMessage, getExtension, isMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  type DoubleRules,
  DoubleRulesSchema,
  type DurationRules,
  DurationRulesSchema,
  EnumRulesSchema,
  type FieldRules,
  type Int32Rules,
  Int32RulesSchema,
  type StringRules,
  StringRulesSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { rulePatterns, ruleRegistry } from "./predefined-rules.ts";

/** Whether a value obeys its rules. A value of another type than its field's does not. */
export type Accept = (value: unknown) => boolean;

/** A rule that is not known here. The message is then left to protovalidate, which knows them all. */
export class UnknownRule extends Error {}

/** The check of one value (an item, where the field is a list), or nothing where there are no rules. */
export function valueAcceptor(field: DescField, rules: FieldRules | undefined): Accept | undefined {
  const chosen = rules?.type;
  if (chosen?.case === undefined) return undefined;
  if (chosen.case === "string") return stringAcceptor(chosen.value);
  if (chosen.case === "int32") return numberAcceptor(Int32RulesSchema, chosen.value);
  if (chosen.case === "double") return numberAcceptor(DoubleRulesSchema, chosen.value);
  if (chosen.case === "duration") return durationAcceptor(chosen.value);
  if (chosen.case === "enum") {
    setRules(EnumRulesSchema, chosen.value, ["defined_only"]);
    const numbers = new Set<unknown>(field.enum?.values.map(({ number }) => number));
    return chosen.value.definedOnly ? (value) => numbers.has(value) : undefined;
  }
  throw new UnknownRule(`${field.toString()}: ${chosen.case}`);
}

/** All of the checks in one, or nothing where there is nothing to check. */
export function every<Value>(
  checks: readonly (((value: Value) => boolean) | false | undefined)[],
): ((value: Value) => boolean) | undefined {
  const kept = checks.filter((check) => typeof check === "function");
  const [first, second] = kept;
  if (first === undefined || second === undefined) return first;
  if (kept.length === 2) return (value) => first(value) && second(value);
  return (value) => kept.every((check) => check(value));
}

/** Names of the rules that are set. One beyond the known would be passed over in silence; hence the error. */
export function setRules(schema: DescMessage, rules: Message, known: readonly string[]): Set<string> {
  const reflected = reflect(schema, rules);
  const set = schema.fields.filter((rule) => reflected.isSet(rule)).map(({ name }) => name);
  const unknown = set.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UnknownRule(`${schema.typeName}.${unknown}`);
  return new Set(set);
}

function stringAcceptor(rules: StringRules): Accept | undefined {
  const { minLen, maxLen, in: allowed } = rules;
  const set = setRules(StringRulesSchema, rules, ["min_len", "max_len", "in"]);
  const holds = every<string>([
    set.has("min_len") && ((text) => hasLength(text, Number(minLen), Infinity)),
    set.has("max_len") && ((text) => hasLength(text, 0, Number(maxLen))),
    set.has("in") && ((text) => allowed.includes(text)),
    ...patternsOf(rules),
  ]);
  return holds && ((value) => typeof value === "string" && holds(value));
}

function patternsOf(rules: StringRules): ((text: string) => boolean)[] {
  return (rules.$unknown ?? []).map(({ no }) => {
    const extension = ruleRegistry.getExtensionFor(StringRulesSchema, no);
    const pattern = extension && rulePatterns.get(extension);
    if (extension === undefined || pattern === undefined || getExtension(rules, extension) !== true) {
      throw new UnknownRule(`StringRules extension ${no}`);
    }
    const expression = new RegExp(pattern, "u");
    return (text) => expression.test(text);
  });
}

function numberAcceptor(schema: DescMessage, rules: Int32Rules | DoubleRules): Accept | undefined {
  const set = setRules(schema, rules, ["gt", "gte", "lt", "lte", "finite"]);
  const { greaterThan, lessThan } = rules;
  const holds = every<number>([
    greaterThan.case === "gt" && ((number) => number > greaterThan.value),
    greaterThan.case === "gte" && ((number) => number >= greaterThan.value),
    lessThan.case === "lt" && ((number) => number < lessThan.value),
    lessThan.case === "lte" && ((number) => number <= lessThan.value),
    set.has("finite") && Number.isFinite,
  ]);
  return holds && ((value) => typeof value === "number" && holds(value));
}

function durationAcceptor(rules: DurationRules): Accept | undefined {
  setRules(DurationRulesSchema, rules, ["gt", "gte"]);
  const { greaterThan } = rules;
  if (greaterThan.case === undefined) return undefined;
  const least = greaterThan.case === "gt" ? 1 : 0;
  return (value) => isMessage(value, DurationSchema) && compare(value, greaterThan.value) >= least;
}

/** Length in code points, which are counted only where UTF-16 units do not settle it. */
function hasLength(text: string, least: number, most: number): boolean {
  const units = text.length;
  if (units <= most && units >= 2 * least) return true;
  if (units < least || units > 2 * most) return false;
  const points = Array.from(text).length;
  return points >= least && points <= most;
}

function compare(a: Duration, b: Duration): number {
  if (a.seconds === b.seconds) return a.nanos - b.nanos;
  return a.seconds < b.seconds ? -1 : 1;
}
