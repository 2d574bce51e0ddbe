import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { ErrorCode } from "../errors/error-codes.ts";
import { formatFieldPath } from "../errors/field-path.ts";
import { SignalboxError } from "../errors/signalbox-error.ts";
import { isStringField, LIST_VALUE, perDescriptor, STRUCT, VALUE } from "./descriptors.ts";
import type { Limits } from "./limits.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The bytes of a map key stand for it until a path is written. */
type Step = string | number | Uint8Array;

/**
 * Refuses, with the path and before anything is allocated, bytes that are not the wire format of a message or that
 * would make one over a limit. Without it two bytes make an object, a record may reach over the end of the message
 * that holds it, and a field of another wire type is read as if it were of its own.
 *
 * `readStrings` also decodes each string. Decoding does that anyway, so it is asked for only where decoding failed, to
 * name the place.
 */
export function scanWire(
  schema: DescMessage,
  bytes: Uint8Array,
  limits: Limits,
  options: { readonly refuseUnknownFields: boolean; readonly readStrings?: boolean },
): void {
  const reader = new BinaryReader(bytes);
  const path: Step[] = [];
  let values = 0;
  try {
    scanMessage(schema, bytes.length, levelsOf(schema));
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    refuse("wire.syntax", "ends early or is not the wire format of protobuf");
  }

  function scanMessage(desc: DescMessage, end: number, depth: number): void {
    checkDepth(depth);
    const positions = new Map<number, number>();
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const field = fieldsByNumber(desc).get(number);
      if (field === undefined) {
        if (options.refuseUnknownFields)
          refuse("field.unknown", `holds field ${number}, which ${desc.name} has not`);
        skip(wireType);
      } else if (field.fieldKind === "list") {
        const position = positions.get(number) ?? 0;
        if (desc.typeName === LIST_VALUE)
          positions.set(number, scanElements(field, wireType, position, depth));
        else {
          if (position === 0) countValue();
          within(field, () => positions.set(number, scanElements(field, wireType, position, depth + 1)));
        }
      } else if (field.fieldKind === "map") {
        if (desc.typeName === STRUCT) scanEntry(field, wireType, depth);
        else within(field, () => scanEntry(field, wireType, depth + 1));
      } else if (desc.typeName === VALUE) scanField(field, wireType, depth);
      else {
        countValue();
        within(field, () => scanField(field, wireType, depth));
      }
      checkEnd(end);
    }
  }

  function within(field: DescField, scan: () => void): void {
    path.push(field.name);
    scan();
    path.pop();
  }

  /** One element of a list, or many packed into one record; returns the position of the next. */
  function scanElements(field: DescField, wireType: WireType, position: number, depth: number): number {
    checkDepth(depth);
    if (wireType !== WireType.LengthDelimited || wireTypeOf(field) === WireType.LengthDelimited) {
      countValue();
      path.push(position);
      scanField(field, wireType, depth);
      path.pop();
      return position + 1;
    }
    const end = readEnd();
    let next = position;
    while (reader.pos < end) {
      countValue();
      skip(wireTypeOf(field));
      next++;
    }
    checkEnd(end);
    return next;
  }

  function scanEntry(field: DescField, wireType: WireType, depth: number): void {
    if (wireType !== WireType.LengthDelimited) refuseWireType(wireType, WireType.LengthDelimited);
    checkDepth(depth);
    countValue();
    path.push("");
    for (const end = readEnd(); reader.pos < end;) {
      const [number, entryType] = reader.tag();
      if (number === 1) scanKey(entryType);
      else if (number === 2) scanField(field, entryType, depth);
      else skip(entryType);
      checkEnd(end);
    }
    path.pop();
  }

  function scanKey(wireType: WireType): void {
    const start = reader.pos;
    skip(wireType);
    if (wireType !== WireType.LengthDelimited) return;
    const after = reader.pos;
    reader.pos = start;
    const length = reader.uint32();
    path[path.length - 1] = bytes.subarray(after - length, after);
    reader.pos = after;
  }

  function scanField(field: DescField, wireType: WireType, depth: number): void {
    const expected = wireTypeOf(field);
    if (wireType !== expected) refuseWireType(wireType, expected);
    if (field.message === undefined) {
      const start = reader.pos;
      skip(wireType);
      if (options.readStrings === true && isStringField(field)) readString(start);
      return;
    }
    const end = readEnd();
    scanMessage(field.message, end, depth + levelsOf(field.message));
  }

  function readString(start: number): void {
    const after = reader.pos;
    reader.pos = start;
    try {
      utf8.decode(reader.bytes());
    } catch {
      refuse("text.unicode", "is not UTF-8");
    }
    reader.pos = after;
  }

  function readEnd(): number {
    const length = reader.uint32();
    const end = reader.pos + length;
    if (end > bytes.length)
      refuse("wire.length", `has a length of ${length} bytes, beyond the end of the body`);
    return end;
  }

  function skip(wireType: WireType): void {
    if (wireType === WireType.Varint) reader.uint32();
    else if (wireType === WireType.LengthDelimited) reader.pos = readEnd();
    else if (wireType === WireType.Bit64 || wireType === WireType.Bit32) reader.skip(wireType);
    else refuse("wire.type", "holds a group, which this contract has none of");
  }

  function checkEnd(end: number): void {
    if (reader.pos > end) refuse("wire.length", "has a length beyond the end of what holds it");
  }

  function checkDepth(depth: number): void {
    if (depth <= limits.maxDepth) return;
    refuse("limit.depth", `is nested deeper than ${limits.maxDepth} levels`, "PAYLOAD_TOO_LARGE");
  }

  function countValue(): void {
    if (++values <= limits.maxValues) return;
    refuse("limit.values", `is one value more than the ${limits.maxValues} allowed`, "PAYLOAD_TOO_LARGE");
  }

  function refuseWireType(found: WireType, expected: WireType): never {
    return refuse("wire.type", `has wire type ${found} where ${expected} is expected`);
  }

  function refuse(rule: string, message: string, code: ErrorCode = "MALFORMED_BODY"): never {
    const field = formatFieldPath(path.map((step) => (step instanceof Uint8Array ? keyText(step) : step)));
    throw new SignalboxError(code, `${field === "" ? "The body" : field} ${message}`, {
      violations: [{ field, rule, message }],
    });
  }
}

/** A Value is no level of its own; what it holds is. */
const levelsOf = ({ typeName }: DescMessage): number => (typeName === VALUE ? 0 : 1);

const fieldsByNumber = perDescriptor(
  (desc: DescMessage) => new Map(desc.fields.map((field) => [field.number, field])),
);

const keyText = (key: Uint8Array): string => new TextDecoder().decode(key.subarray(0, 256));

function wireTypeOf(field: DescField): WireType {
  if (field.enum !== undefined) return WireType.Varint;
  return field.scalar === undefined
    ? WireType.LengthDelimited
    : (WIRE_TYPES[field.scalar] ?? WireType.Varint);
}

const WIRE_TYPES: Readonly<Partial<Record<ScalarType, WireType>>> = {
  [ScalarType.STRING]: WireType.LengthDelimited,
  [ScalarType.BYTES]: WireType.LengthDelimited,
  [ScalarType.DOUBLE]: WireType.Bit64,
  [ScalarType.FIXED64]: WireType.Bit64,
  [ScalarType.SFIXED64]: WireType.Bit64,
  [ScalarType.FLOAT]: WireType.Bit32,
  [ScalarType.FIXED32]: WireType.Bit32,
  [ScalarType.SFIXED32]: WireType.Bit32,
};
