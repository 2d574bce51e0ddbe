import { type DescField, isMessage } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { readTypeRules } from "../rules/read-rules.ts";

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const POSITIVE = { pattern: "^(?=[^s]*[1-9])[0-9]{1,12}(\\.[0-9]{1,9})?s$" };
const NOT_NEGATIVE = { pattern: "^[0-9]{1,12}(\\.[0-9]{1,9})?s$" };

/** What each rule says in JSON Schema. One that is missing here is an error, never a gap in the schema. */
const KEYWORDS: Record<string, (rule: unknown) => JsonSchema> = {
  "string.min_len": (least) => ({ minLength: Number(least) }),
  "string.max_len": (most) => ({ maxLength: Number(most) }),
  "string.in": (allowed) => ({ enum: allowed }),
  "string.pattern": (pattern) => ({ pattern }),
  "int32.gte": (least) => ({ minimum: least }),
  "int32.lte": (most) => ({ maximum: most }),
  "double.gte": (least) => ({ minimum: least }),
  "double.lte": (most) => ({ maximum: most }),
  "duration.gt": (bound) => fromZero(bound, POSITIVE),
  "duration.gte": (bound) => fromZero(bound, NOT_NEGATIVE),
  "repeated.min_items": (least) => ({ minItems: Number(least) }),
  "repeated.max_items": (most) => ({ maxItems: Number(most) }),
  // These shape the type itself: the items' schema, an enum's values, a double without its strings.
  "repeated.items": () => ({}),
  "enum.defined_only": () => ({}),
  "double.finite": () => ({}),
};

/** The keywords that a field's rules (or those of a list's items) add to its type. */
export function ruleKeywords(field: DescField, rules: FieldRules | undefined): JsonSchema {
  const keywords = readTypeRules(rules).map(({ name, value }) => {
    const keyword = KEYWORDS[name];
    if (keyword === undefined) throw new Error(`${field.toString()}: ${name} has no JSON Schema yet`);
    return keyword(value);
  });
  return Object.assign({}, ...keywords);
}

function fromZero(bound: unknown, schema: JsonSchema): JsonSchema {
  if (isMessage(bound, DurationSchema) && bound.seconds === 0n && bound.nanos === 0) return schema;
  throw new Error("a duration can be compared with 0s only, for a pattern knows no order");
}
