import { type DescMessage, fromJson, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import {
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  StringValueSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { quoteBriefly } from "../errors/field-path.ts";
import { LIST_VALUE, STRUCT, VALUE } from "./descriptors.ts";

const INT32 = { wrapper: Int32ValueSchema, expected: "an integer from -2147483648 to 2147483647" };
const UINT32 = { wrapper: UInt32ValueSchema, expected: "an integer from 0 to 4294967295" };
const INT64 = { wrapper: Int64ValueSchema, expected: "a 64-bit integer" };
const UINT64 = { wrapper: UInt64ValueSchema, expected: "a 64-bit integer from 0" };

/** The wrapper message of a scalar reads as JSON exactly what a field of that scalar reads. */
const SCALARS: Readonly<Record<ScalarType, { wrapper: DescMessage; expected: string }>> = {
  [ScalarType.STRING]: { wrapper: StringValueSchema, expected: "a string" },
  [ScalarType.BOOL]: { wrapper: BoolValueSchema, expected: "true or false" },
  [ScalarType.BYTES]: { wrapper: BytesValueSchema, expected: "a string in base64" },
  [ScalarType.DOUBLE]: { wrapper: DoubleValueSchema, expected: "a number" },
  [ScalarType.FLOAT]: { wrapper: FloatValueSchema, expected: "a number within a 32-bit float" },
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

/** What a scalar field allows, if not this. */
export function expectedOfScalar(type: ScalarType, value: JsonValue): string | undefined {
  if (type === ScalarType.STRING && typeof value === "string") return undefined;
  if (type === ScalarType.BOOL && typeof value === "boolean") return undefined;
  if (type === ScalarType.INT32 && Number.isInteger(value) && value === (Number(value) | 0)) return undefined;
  const { wrapper, expected } = SCALARS[type];
  return value !== null && isWritten(type, value) && canRead(wrapper, value) ? undefined : expected;
}

/** protobuf-es takes whatever JavaScript takes for a number, such as "0x10"; the mapping has JSON's own and three words. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$|^(?:NaN|-?Infinity)$/;
const isWritten = (type: ScalarType, value: JsonValue): boolean =>
  typeof value !== "string" || type === ScalarType.BYTES || NUMBER.test(value);

/** What a message of google.protobuf allows, if not this. */
export function expectedOfWellKnown(desc: DescMessage, value: JsonValue): string | undefined {
  switch (desc.typeName) {
    case VALUE:
      return undefined;
    case STRUCT:
      return isObject(value) ? undefined : "an object";
    case LIST_VALUE:
      return Array.isArray(value) ? undefined : "a list";
    case "google.protobuf.Timestamp":
      return isPlainTime(value) || (isOnCalendar(value) && canRead(desc, value))
        ? undefined
        : 'a time of the years 0001 to 9999 with Z or its offset, such as "2026-02-24T09:30:00Z",';
    case "google.protobuf.Duration":
      // protobuf-es reads the front of the string and lets anything follow.
      return isPlainDuration(value) ||
        (typeof value === "string" && /^-?[0-9]+(?:\.[0-9]{1,9})?s$/.test(value) && canRead(desc, value))
        ? undefined
        : 'seconds up to 315576000000, such as "90s" or "1.5s",';
    default:
      return canRead(desc, value) ? undefined : `a ${desc.typeName}`;
  }
}

/** Nearly all that come: in UTC, on a day that every month has. Whether it can be read need not be tried, which costs as much as reading it. */
const PLAIN_TIME =
  /^(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?Z$/;
export const isPlainTime = (value: JsonValue): boolean => typeof value === "string" && PLAIN_TIME.test(value);
/** Where a day does not exist JavaScript counts on: of the 30th of February protobuf-es makes the second of March. */
function isOnCalendar(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  const written = value.slice(0, "2026-02-24T09:30:00".length);
  const read = new Date(`${written}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(written);
}

/** Fewer digits than the longest duration has. */
const PLAIN_DURATION = /^-?[0-9]{1,11}(?:\.[0-9]{1,9})?s$/;
export const isPlainDuration = (value: JsonValue): boolean =>
  typeof value === "string" && PLAIN_DURATION.test(value);

export const isObject = (value: JsonValue): value is { [name: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function describeJson(value: JsonValue): string {
  if (typeof value === "string") return `the string ${quoteBriefly(value)}`;
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : String(value);
}

function canRead(desc: DescMessage, value: JsonValue): boolean {
  try {
    fromJson(desc, value);
    return true;
  } catch {
    return false;
  }
}
