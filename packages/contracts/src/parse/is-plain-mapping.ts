import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { LIST_VALUE, perDescriptor, STRUCT } from "./descriptors.ts";
import { isObject, isPlainDuration, isPlainTime } from "./json-mapping.ts";

/**
 * Whether JSON that was scanned is certainly the mapping of a message without fault. It says no wherever it is not sure,
 * and then `findJsonFaults` and `findMessageFaults` say what is wrong, if anything is: nearly all that comes needs neither,
 * which keep a path and ask for names a value.
 */
export function isPlainMapping(schema: DescMessage, json: JsonValue): boolean {
  return acceptorOf(schema)(json);
}

type Acceptor = (value: JsonValue) => boolean;
type Member = { readonly slot: number; readonly accepts: Acceptor };

/** As many as a number has bits for. */
const MOST_SLOTS = 31;
const LARGEST_FLOAT = 3.4028234663852886e38;

const acceptorOf = perDescriptor((desc: DescMessage): Acceptor => {
  if (desc.typeName.startsWith("google.protobuf.")) return wellKnown[desc.typeName] ?? (() => false);
  const members = new Map<string, Member>();
  const slots = new Map<object, number>();
  for (const field of desc.fields) {
    const owner = field.oneof ?? field;
    const slot = slots.get(owner) ?? slots.size;
    slots.set(owner, slot);
    const member = { slot: 1 << slot, accepts: acceptorOfField(field) };
    members.set(field.name, member);
    members.set(field.jsonName, member);
  }
  if (slots.size > MOST_SLOTS) return () => false;
  return (value) => {
    if (!isObject(value)) return false;
    // A field may be spelled two ways, and a oneof is one slot.
    let filled = 0;
    for (const name of Object.keys(value)) {
      const member = members.get(name);
      const held = value[name];
      if (member === undefined || held === undefined || (filled & member.slot) !== 0) return false;
      filled |= member.slot;
      if (!member.accepts(held)) return false;
    }
    return true;
  };
});

const wellKnown: Readonly<Record<string, Acceptor>> = {
  [STRUCT]: isObject,
  [LIST_VALUE]: Array.isArray,
  "google.protobuf.Timestamp": isPlainTime,
  "google.protobuf.Duration": isPlainDuration,
};

function acceptorOfField(field: DescField): Acceptor {
  const accepts = acceptorOfElement(field);
  if (field.fieldKind === "list") return (value) => Array.isArray(value) && value.every(accepts);
  if (field.fieldKind !== "map") return accepts;
  if (field.mapKey !== ScalarType.STRING) return () => false;
  return (value) => isObject(value) && Object.values(value).every(accepts);
}

function acceptorOfElement({ message, enum: desc, scalar }: DescField): Acceptor {
  if (message !== undefined) {
    // Not asked for before it is needed: a message may hold itself.
    return (value) => acceptorOf(message)(value);
  }
  if (desc !== undefined) {
    const allowed = new Set<JsonValue>(desc.values.flatMap(({ name, number }) => [name, number]));
    return (value) => allowed.has(value);
  }
  return scalars[scalar] ?? (() => false);
}

const isDouble: Acceptor = (value) => typeof value === "number";
const isInt32: Acceptor = (value) => typeof value === "number" && (value | 0) === value;
const isUint32: Acceptor = (value) => typeof value === "number" && value >>> 0 === value;

/** The others are few, and are left to the reader. */
const scalars: Partial<Record<ScalarType, Acceptor>> = {
  [ScalarType.STRING]: (value) => typeof value === "string",
  [ScalarType.BOOL]: (value) => typeof value === "boolean",
  [ScalarType.DOUBLE]: isDouble,
  [ScalarType.FLOAT]: (value) => typeof value === "number" && Math.abs(value) <= LARGEST_FLOAT,
  [ScalarType.INT32]: isInt32,
  [ScalarType.SINT32]: isInt32,
  [ScalarType.SFIXED32]: isInt32,
  [ScalarType.UINT32]: isUint32,
  [ScalarType.FIXED32]: isUint32,
};
