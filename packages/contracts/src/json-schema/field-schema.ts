import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { DoubleRules, FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type JsonSchema, ruleKeywords } from "./rule-keywords.ts";

/** Makes the definition of a message and returns a reference to it. */
export type Define = (message: DescMessage) => JsonSchema;

const INT32 = { type: "integer", minimum: -2_147_483_648, maximum: 2_147_483_647 };
const UINT32 = { type: "integer", minimum: 0, maximum: 4_294_967_295 };
const INT64 = { type: "string", pattern: "^-?[0-9]+$" };
const UINT64 = { type: "string", pattern: "^[0-9]+$" };
const FLOAT = { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }] };

const SCALARS: Record<ScalarType, JsonSchema> = {
  [ScalarType.STRING]: { type: "string" },
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.BYTES]: { type: "string", contentEncoding: "base64" },
  [ScalarType.DOUBLE]: FLOAT,
  [ScalarType.FLOAT]: FLOAT,
  [ScalarType.INT32]: INT32,
  [ScalarType.SINT32]: INT32,
  [ScalarType.SFIXED32]: INT32,
  [ScalarType.UINT32]: UINT32,
  [ScalarType.FIXED32]: UINT32,
  [ScalarType.INT64]: INT64,
  [ScalarType.SINT64]: INT64,
  [ScalarType.SFIXED64]: INT64,
  [ScalarType.UINT64]: UINT64,
  [ScalarType.FIXED64]: UINT64,
};

/** Types of google.protobuf whose JSON is not an object of their fields. */
const WELL_KNOWN: ReadonlyMap<string, JsonSchema> = new Map([
  ["google.protobuf.Timestamp", { type: "string", format: "date-time" }],
  ["google.protobuf.Duration", { type: "string", pattern: "^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$" }],
  ["google.protobuf.Struct", { type: "object" }],
]);

/** The schema of one field: what its type is, and what its rules add. */
export function fieldSchema(field: DescField, rules: FieldRules, define: Define): JsonSchema {
  if (rules.cel.length + rules.celExpression.length > 0) {
    throw new Error(
      `${field.toString()} has CEL, which only a predefined rule or a message can take into JSON Schema`,
    );
  }
  if (field.fieldKind === "map") throw new Error(`${field.name} is a map, which has no JSON Schema yet`);
  if (field.fieldKind !== "list") return valueSchema(field, rules, define);
  const items = rules.type.case === "repeated" ? rules.type.value.items : undefined;
  return { type: "array", items: valueSchema(field, items, define), ...ruleKeywords(field, rules) };
}

function valueSchema(field: DescField, rules: FieldRules | undefined, define: Define): JsonSchema {
  return { ...typeSchema(field, rules, define), ...ruleKeywords(field, rules) };
}

function typeSchema(field: DescField, rules: FieldRules | undefined, define: Define): JsonSchema {
  if (field.message) return WELL_KNOWN.get(field.message.typeName) ?? define(field.message);
  if (field.enum) return enumSchema(field.enum, rules);
  if (rules?.type.case === "double") return finite(field, rules.type.value);
  if (field.scalar !== undefined) return SCALARS[field.scalar];
  throw new Error("a field has a scalar, an enum or a message");
}

/** The mapping writes an enum's name and reads its number too. */
function enumSchema({ values }: DescEnum, rules: FieldRules | undefined): JsonSchema {
  const names = values.map(({ name }) => name);
  const closed = rules?.type.case === "enum" && rules.type.value.definedOnly;
  return closed
    ? { enum: [...names, ...values.map(({ number }) => number)] }
    : { anyOf: [{ enum: names }, INT32] };
}

/** The mapping writes NaN and the infinities as strings. Rules that let some of them pass would need them here. */
function finite(field: DescField, rules: DoubleRules): JsonSchema {
  const bounded = rules.greaterThan.case !== undefined && rules.lessThan.case !== undefined;
  if (rules.finite || bounded) return { type: "number" };
  throw new Error(`${field.toString()} has rules that let infinity pass, which has no JSON Schema yet`);
}
