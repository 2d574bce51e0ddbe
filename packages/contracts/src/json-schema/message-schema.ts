import { type DescField, type DescMessage, type DescOneof, getOption, ScalarType } from "@bufbuild/protobuf";
import { scalarZeroValue } from "@bufbuild/protobuf/reflect";
import {
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { valueAcceptor } from "../rules/value-acceptor.ts";
import { type Define, fieldSchema } from "./field-schema.ts";
import type { JsonSchema } from "./rule-keywords.ts";

/** The schema of a message's JSON object. Messages within it are left to `define`. */
export function messageSchema(message: DescMessage, define: Define): JsonSchema {
  const required = message.fields.filter(isRequired).map(({ jsonName }) => jsonName);
  const choices = message.oneofs.map(oneofSchema);
  const { cel } = getOption(message, messageRules);
  return {
    type: "object",
    properties: Object.fromEntries(
      message.fields.map((field) => [
        field.jsonName,
        fieldSchema(field, getOption(field, fieldRules), define),
      ]),
    ),
    ...(required.length > 0 && { required }),
    ...(choices.length > 0 && { allOf: choices }),
    additionalProperties: false,
    ...(cel.length > 0 && {
      "x-cel": cel.map(({ id, message: text, expression }) => ({ id, message: text, expression })),
    }),
  };
}

/** A field that may not be left out: it says so, or its rules refuse the zero value that its absence means. */
export function isRequired(field: DescField): boolean {
  const rules = getOption(field, fieldRules);
  if (rules.required) return true;
  if (field.fieldKind === "list") return rules.type.case === "repeated" && rules.type.value.minItems > 0n;
  if (field.oneof !== undefined || (field.fieldKind !== "scalar" && field.fieldKind !== "enum")) return false;
  const zero = scalarZeroValue(field.scalar ?? ScalarType.INT32, false);
  return valueAcceptor(field, rules)?.(zero) === false;
}

function oneofSchema(oneof: DescOneof): JsonSchema {
  const members = oneof.fields.map(({ jsonName }) => ({ required: [jsonName] }));
  const { required } = getOption(oneof, oneofRules);
  return { oneOf: required ? members : [...members, { not: { anyOf: members } }] };
}
