import type { Outgoing } from "../connection.ts";

export type ColumnType = "text" | "uuid" | "int" | "bigint" | "float8" | "boolean" | "bytea";

type Write = (to: Outgoing, value: unknown, column: string) => void;

/** Elements by the numbers that PostgreSQL brings along for them (pg_type.dat). */
const ELEMENTS: Readonly<Record<ColumnType, { oid: number; write: Write }>> = {
  text: { oid: 25, write: writeText },
  uuid: { oid: 2950, write: writeUuid },
  int: { oid: 23, write: writeInt },
  bigint: { oid: 20, write: writeBigint },
  float8: { oid: 701, write: writeFloat },
  boolean: { oid: 16, write: writeBoolean },
  bytea: { oid: 17, write: writeBytes },
};

/**
 * One column of many rows: an array in PostgreSQL's binary format, which the driver lets write itself into what it sends.
 * A function, and no object: of an object drizzle asks twelve times what it is.
 */
export const writerOf =
  (column: string, type: ColumnType, values: readonly unknown[]) =>
  (to: Outgoing): void => {
    const { oid, write } = ELEMENTS[type];
    const { length } = values;
    const begin = to.at;
    to.fit(HEADER);
    to.buffer.writeInt32BE(length === 0 ? 0 : 1, begin);
    to.buffer.writeInt32BE(0, begin + HAS_NULLS);
    to.buffer.writeInt32BE(oid, begin + 8);
    to.buffer.writeInt32BE(length, begin + 12);
    to.buffer.writeInt32BE(1, begin + 16);
    // Without dimensions there are no bounds.
    to.at = begin + (length === 0 ? 12 : HEADER);
    for (const value of values) {
      if (isAbsent(value)) {
        to.buffer.writeInt32BE(1, begin + HAS_NULLS);
        to.fit(4);
        to.at = to.buffer.writeInt32BE(-1, to.at);
      } else {
        write(to, value, column);
      }
    }
  };

/** Dimensions, whether there are nulls, the elements' type, how many, and the number of the first. */
const HEADER = 20;
const HAS_NULLS = 4;

/** As JSON has it: a number that is none is absent. */
const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value));

/** Up to here a text is written faster letter by letter than by a call of the buffer's. */
const SHORT = 16;
/** From here on it is counted first: the room for what it could take would be three times what it does take. */
const LONG = 8_192;

function writeText(to: Outgoing, text: unknown, column: string): void {
  if (typeof text !== "string") throw unfit(column, "text", text);
  const { length } = text;
  to.fit(4 + (length < LONG ? length * 3 : Buffer.byteLength(text)));
  const { buffer } = to;
  const begin = to.at + 4;
  let end = begin;
  if (length <= SHORT) {
    for (; end - begin < length; end += 1) {
      const letter = text.charCodeAt(end - begin);
      if (letter > 0x7f) break;
      buffer[end] = letter;
    }
  }
  if (end - begin < length) end = begin + buffer.write(text, begin);
  buffer.writeInt32BE(end - begin, to.at);
  to.at = end;
}

function writeUuid(to: Outgoing, value: unknown, column: string): void {
  to.fit(20);
  to.at = to.buffer.writeInt32BE(16, to.at);
  if (typeof value === "string" && writeUsualUuid(to, value)) return;
  if (typeof value !== "string" || !UUID.test(value)) throw unfit(column, "a UUID", value);
  to.at += to.buffer.write(value.replaceAll(/[-{}]/g, ""), to.at, "hex");
}

/** Where the digits of each byte begin in a UUID as it is usually written, and the hyphens between. */
const BYTES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const HYPHENS = [8, 13, 18, 23];
const NO_DIGIT = 0x10;
const VALUES = new Uint8Array(0x80).fill(NO_DIGIT);
for (let value = 0; value < 16; value += 1)
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()])
    VALUES[digit.charCodeAt(0)] = value;

/** Digit by digit: each event has an id, and the buffer and an expression would be called for each. */
function writeUsualUuid(to: Outgoing, text: string): boolean {
  if (text.length !== 36) return false;
  let { at } = to;
  for (const hyphen of HYPHENS) if (text.charCodeAt(hyphen) !== 0x2d) return false;
  for (const place of BYTES) {
    const high = VALUES[text.charCodeAt(place)] ?? NO_DIGIT;
    const low = VALUES[text.charCodeAt(place + 1)] ?? NO_DIGIT;
    if (((high | low) & NO_DIGIT) !== 0) return false;
    to.buffer[at] = (high << 4) | low;
    at += 1;
  }
  to.at = at;
  return true;
}

const DIGITS = "(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}";
/** In every form in which PostgreSQL takes one. */
const UUID = new RegExp(`^(?:${DIGITS}|\\{${DIGITS}\\})$`, "i");

function writeInt(to: Outgoing, value: unknown, column: string): void {
  if (typeof value !== "number" || (value | 0) !== value) throw unfit(column, "an integer of 32 bits", value);
  to.fit(8);
  to.at = to.buffer.writeInt32BE(4, to.at);
  to.at = to.buffer.writeInt32BE(value, to.at);
}

function writeBigint(to: Outgoing, value: unknown, column: string): void {
  if (!Number.isSafeInteger(value)) throw unfit(column, "an integer", value);
  to.fit(12);
  to.at = to.buffer.writeInt32BE(8, to.at);
  to.at = to.buffer.writeBigInt64BE(BigInt(Number(value)), to.at);
}

function writeFloat(to: Outgoing, value: unknown, column: string): void {
  if (typeof value !== "number") throw unfit(column, "a number", value);
  to.fit(12);
  to.at = to.buffer.writeInt32BE(8, to.at);
  // There is one zero, as in JSON.
  to.at = to.buffer.writeDoubleBE(value + 0, to.at);
}

function writeBoolean(to: Outgoing, value: unknown, column: string): void {
  if (typeof value !== "boolean") throw unfit(column, "true or false", value);
  to.fit(5);
  to.at = to.buffer.writeInt32BE(1, to.at);
  to.at = to.buffer.writeUInt8(value ? 1 : 0, to.at);
}

function writeBytes(to: Outgoing, value: unknown, column: string): void {
  if (!(value instanceof Uint8Array)) throw unfit(column, "bytes", value);
  to.fit(4 + value.length);
  to.at = to.buffer.writeInt32BE(value.length, to.at);
  to.buffer.set(value, to.at);
  to.at += value.length;
}

function unfit(column: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${column} is not ${wanted}: ${String(value).slice(0, 60)}`);
}
