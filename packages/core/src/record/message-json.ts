import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type ObjectCodec, isObject, objectOf } from "./codec.ts";
import { RecordFault } from "./record-fault.ts";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { durationText, timestampText } from "./time-text.ts";

/** Gives `undefined` for what the mapping leaves out: what is unset, and what is the zero value of a plain field. */
type Write = (value: unknown) => JsonValue | undefined;
type Member = { readonly from: string; readonly to: string; readonly write: Write };

/** By name, since a message may hold its own kind. */
const writers = new Map<DescMessage, Write>();

/**
 * REC-5: a message, or what `create` would make it of, in the protobuf JSON mapping. Compiled from the descriptor, so that
 * a field that is added to the contract is written; `toJson` would first need every message made and checked again.
 * Total: a time that the mapping cannot express is left out, where `toJson` throws, for an agent's clock may be wrong (D19).
 */
export function messageWriter<Desc extends DescMessage>(
  desc: Desc,
): (init: MessageInitShape<Desc>) => JsonObject {
  const write = writerOf(desc);
  return (init) => {
    const json = write(init);
    return isJsonObject(json) ? json : {};
  };
}

const isJsonObject = (json: JsonValue | undefined): json is JsonObject => isObject(json);

function writerOf(desc: DescMessage): Write {
  const known = writers.get(desc) ?? wellKnown[desc.typeName];
  if (known !== undefined) return known;
  const members: Member[] = [];
  const write: Write = (value) => {
    if (!isObject(value)) return undefined;
    const json: JsonObject = {};
    for (const member of members) {
      const inner = member.write(value[member.from]);
      if (inner !== undefined) json[member.to] = inner;
    }
    return json;
  };
  writers.set(desc, write);
  for (const field of desc.fields) {
    if (field.oneof !== undefined) throw notYet(field);
    members.push({ from: field.localName, to: field.jsonName, write: fieldWriter(field) });
  }
  return write;
}

const wellKnown: Readonly<Record<string, Write>> = {
  "google.protobuf.Timestamp": timestampText,
  "google.protobuf.Duration": durationText,
  // The generated code holds a Struct as the JSON that it is.
  "google.protobuf.Struct": (value) => (isStruct(value) ? value : undefined),
};

const isStruct = (value: unknown): value is JsonObject => isObject(value);

function fieldWriter(field: DescField): Write {
  if (field.fieldKind === "map") throw notYet(field);
  if (field.fieldKind === "list") return listWriter(elementWriter(field, false));
  return elementWriter(field, field.presence === FeatureSet_FieldPresence.IMPLICIT);
}

function listWriter(write: Write): Write {
  return (values) => {
    if (!Array.isArray(values) || values.length === 0) return undefined;
    const json: JsonValue[] = [];
    for (const value of values) json.push(write(value) ?? null);
    return json;
  };
}

function elementWriter(field: DescField, skipsZero: boolean): Write {
  if (field.message !== undefined) return writerOf(field.message);
  if (field.enum !== undefined) {
    const names: string[] = [];
    for (const { number, name } of field.enum.values) names[number] = name;
    return (value) => {
      if (typeof value !== "number" || (skipsZero && value === 0)) return undefined;
      return names[value] ?? value;
    };
  }
  const write = field.scalar && scalarWriters[field.scalar];
  if (write === undefined) throw notYet(field);
  return write(skipsZero);
}

const scalarWriters: Readonly<Partial<Record<ScalarType, (skipsZero: boolean) => Write>>> = {
  [ScalarType.STRING]: (skipsZero) => (value) =>
    typeof value !== "string" || (skipsZero && value === "") ? undefined : value,
  [ScalarType.BOOL]: (skipsZero) => (value) =>
    typeof value !== "boolean" || (skipsZero && !value) ? undefined : value,
  [ScalarType.INT32]: (skipsZero) => (value) =>
    typeof value !== "number" || (skipsZero && value === 0) ? undefined : value,
};

const notYet = (field: DescField) =>
  new TypeError(`${field.parent.typeName}.${field.name}: no record has held a field of this kind before`);

export const messageCodec = <Desc extends DescMessage>(desc: Desc): ObjectCodec<MessageShape<Desc>> => {
  const write = writerOf(desc);
  return {
    write: (message) => {
      const json = write(message);
      return isJsonObject(json) ? json : {};
    },
    read: (json) => readMessage(desc, json),
  };
};

export function readMessage<Desc extends DescMessage>(desc: Desc, json: unknown): MessageShape<Desc> {
  objectOf(json);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromJson checks whatever it is given
    return fromJson(desc, json as JsonValue);
  } catch (error) {
    throw new RecordFault(error instanceof Error ? error.message : String(error), "", { cause: error });
  }
}
