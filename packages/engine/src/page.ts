import { SignalboxError } from "@signalbox/contracts";
import { TimestampSchema } from "@signalbox/contracts/saop";
import { holdsNul } from "./storable.ts";

export type PageRequest = {
  cursor?: string | undefined;
  limit?: number | undefined;
  query?: string | undefined;
};

export const pageLimit = { usual: 50, most: 100 } as const;
const longestQuery = 200;

const refuse = (field: string, rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", "The page cannot be given.", {
    violations: [{ field, rule, message }],
  });

export function readLimit(limit: number = pageLimit.usual): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= pageLimit.most) return limit;
  throw refuse("limit", "range", `a whole number from 1 to ${pageLimit.most}`);
}

export function readQuery(query: string | undefined, field = "query"): string | undefined {
  const text = query?.trim();
  if (text !== undefined && text.length > longestQuery) {
    throw refuse(field, "max_len", `at most ${longestQuery} characters`);
  }
  if (text !== undefined && holdsNul(text)) {
    throw refuse(field, "no_nul", "must not contain the character U+0000");
  }
  return text === "" ? undefined : text;
}

/** Where a page ended, opaque to whoever carries it: its form may change from version to version. */
export const writeCursor = (position: readonly string[]): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url");

/** The position that a cursor names: `parts` texts. Anything else was not made here. */
export function readCursor(cursor: string, parts: number): string[] {
  const position = cursor.length <= 2048 ? parsed(cursor) : undefined;
  if (isTexts(position) && position.length === parts) return position;
  throw refuseCursor();
}

/** As PostgreSQL tells one: to the microsecond. */
const LONGEST_MOMENT = "2026-11-19T12:00:00.123456Z".length;

/**
 * A position that begins with a moment, exact as it was written. `Date` reads years that PostgreSQL does not hold, and days
 * that are none; PostgreSQL reads no fraction of a hundred digits.
 */
export const readMomentCursor = (cursor: string, parts: number): string[] =>
  checkMoment(readCursor(cursor, parts));

function checkMoment(position: string[]): string[] {
  const [moment = ""] = position;
  if (moment.length <= LONGEST_MOMENT && TimestampSchema.safeParse(moment).success) return position;
  throw refuseCursor();
}

/** The cursors of one list, which no other list takes for its own. */
export const cursorsOf = (list: string) => ({
  write: (position: readonly string[]): string => writeCursor([list, ...position]),
  read: (cursor: string, parts: number): string[] => ofList(list, readCursor(cursor, parts + 1)),
  readMoment(cursor: string, parts: number): string[] {
    return checkMoment(ofList(list, readCursor(cursor, parts + 1)));
  },
});

function ofList(list: string, [named, ...position]: readonly string[]): string[] {
  if (named !== list) throw refuseCursor();
  return position;
}

export const refuseCursor = () => refuse("cursor", "cursor", "only what an earlier page gave as nextCursor");

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === "string");
