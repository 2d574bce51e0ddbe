import { create, type DescField, type DescMessage, fromJson, getOption } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { oneof as oneofRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { isRequired } from "../../src/json-schema/message-schema.ts";
import { adjustFull, adjustMinimal } from "./cross-field-samples.ts";
import { sampleScalar, WELL_KNOWN_SAMPLES } from "./sample-value.ts";

/** A valid message with nothing in it that could be left out. */
export function minimalMessage(schema: DescMessage): ReflectMessage {
  const wellKnown = wellKnownSample(schema);
  if (wellKnown) return wellKnown;
  const message = reflect(schema, create(schema));
  for (const field of schema.fields.filter(isNeeded)) put(message, field, minimalMessage);
  return adjustMinimal(message);
}

/** A valid message with everything in it, its oneofs set to the member that `turn` falls on. */
export function fullMessage(schema: DescMessage, turn: number): ReflectMessage {
  const wellKnown = wellKnownSample(schema);
  if (wellKnown) return wellKnown;
  const message = reflect(schema, create(schema));
  for (const field of schema.fields) {
    const members = field.oneof?.fields;
    if (members && members[turn % members.length] !== field) continue;
    put(message, field, (nested) => fullMessage(nested, turn));
  }
  return adjustFull(message);
}

/** How many full messages it takes to set every member of every oneof at least once. */
export function turns(schema: DescMessage): number {
  if (wellKnownSample(schema)) return 1;
  const own = schema.oneofs.map(({ fields }) => fields.length);
  return Math.max(1, ...own, ...schema.fields.map((field) => (field.message ? turns(field.message) : 1)));
}

function put(
  message: ReflectMessage,
  field: DescField,
  nested: (schema: DescMessage) => ReflectMessage,
): void {
  const value = field.message ? nested(field.message) : sampleScalar(field);
  if (field.fieldKind === "list") message.get(field).add(value);
  else message.set(field, value);
}

function isNeeded(field: DescField): boolean {
  if (field.oneof) return getOption(field.oneof, oneofRules).required && field.oneof.fields[0] === field;
  return isRequired(field);
}

function wellKnownSample(schema: DescMessage): ReflectMessage | undefined {
  const json = WELL_KNOWN_SAMPLES[schema.typeName];
  return json === undefined ? undefined : reflect(schema, fromJson(schema, json));
}
