import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { type FieldPath, findViolations } from "@signalbox/contracts";
import { z } from "zod";
import { parseDuration, printDuration } from "./duration-text.ts";
import { closed, duration, enumName, shortNames } from "./shape.ts";

/**
 * What a document may say of a message of the contract, taken from the message itself: its own field names, short
 * or full enum names, durations as people write them. What comes out is protobuf JSON for `messageFrom`.
 */
export const fieldShapes = (desc: DescMessage, names?: readonly string[]): Record<string, z.ZodType> =>
  Object.fromEntries(
    desc.fields
      .filter((field) => names?.includes(field.name) ?? true)
      .map((field) => [field.name, fieldShape(field).optional()]),
  );

function fieldShape(field: DescField): z.ZodType {
  if (field.fieldKind === "map") throw notYet(field);
  return field.fieldKind === "list" ? z.array(elementShape(field)).max(1000) : elementShape(field);
}

const scalarShapes: Partial<Record<ScalarType, () => z.ZodType>> = {
  [ScalarType.STRING]: z.string,
  [ScalarType.BOOL]: z.boolean,
  [ScalarType.DOUBLE]: z.number,
  [ScalarType.INT32]: z.int32,
};

function elementShape(field: DescField): z.ZodType {
  if (isDuration(field)) return duration(0).transform((milliseconds) => `${milliseconds / 1000}s`);
  if (isStruct(field)) return z.record(z.string(), z.json());
  if (field.message !== undefined) return messageShape(field.message);
  if (field.enum !== undefined) return enumName(field.enum);
  const scalar = field.scalar === undefined ? undefined : scalarShapes[field.scalar];
  if (scalar === undefined) throw notYet(field);
  return scalar();
}

const notYet = (field: DescField) =>
  new TypeError(`${field.parent.typeName}.${field.name}: no document has held a field of this kind before`);

/** Checked by itself, so that a fault beside it does not hide what breaks the contract inside it. */
const messageShape = (desc: DescMessage) =>
  closed(fieldShapes(desc)).superRefine((json, context) => void messageFrom(desc, json, context));

/** The message of a JSON value that `fieldShapes` let through; what breaks the contract's rules becomes an issue. */
export function messageFrom<Desc extends DescMessage>(
  desc: Desc,
  json: unknown,
  context: z.core.$RefinementCtx,
): MessageShape<Desc> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shapes let only JSON through
  const message = fromJson(desc, json as JsonValue);
  for (const violation of findViolations(desc, message)) {
    context.issues.push({
      code: "custom",
      input: json,
      path: violation.field.flatMap(stepOf),
      message: violation.message,
      params: { rule: "contract" },
    });
  }
  return message;
}

type Violation = ReturnType<typeof findViolations>[number];

function stepOf(step: Violation["field"][number]): FieldPath {
  if (step.kind === "field") return [step.name];
  return step.kind === "list_sub" ? [step.index] : [];
}

/** A message as a document says it; what `fieldShapes` and `messageFrom` read back as the same message. */
export const plainMessage = <Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
): Record<string, unknown> => plainFields(desc, toJson(desc, message, { useProtoFieldName: true }));

const plainFields = (desc: DescMessage, json: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(json ?? {}).map(([key, value]) => {
      const field = desc.fields.find((candidate) => candidate.name === key);
      return [key, field === undefined ? value : plainField(field, value)];
    }),
  );

function plainField(field: DescField, json: unknown): unknown {
  if (Array.isArray(json)) return json.map((item) => plainField(field, item));
  if (isDuration(field)) return printDuration(parseDuration(String(json)) ?? 0);
  if (isStruct(field)) return json;
  if (field.message !== undefined) return plainFields(field.message, json);
  if (field.enum === undefined) return json;
  return [...shortNames(field.enum)].find(([, full]) => full === json)?.[0] ?? json;
}

const isDuration = (field: DescField) => field.message?.typeName === "google.protobuf.Duration";
/** A Struct is the JSON that it holds. */
const isStruct = (field: DescField) => field.message?.typeName === "google.protobuf.Struct";
