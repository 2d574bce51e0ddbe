import { z } from "zod";
import { usageFailure } from "../failure.ts";
import type { Entry } from "./entries.ts";

/**
 * Where a tail stands. An entry has the time at which its transaction began, and is seen when that was committed: one may
 * appear behind others that are older. So each look begins again a while before the newest, and what was told is known.
 */
export type TailWindow = {
  /** `answeredAt` is the server's clock at that look. */
  readonly fresh: (found: readonly Entry[], answeredAt?: Date) => Entry[];
  /** From when on to look; undefined where nothing was seen yet. */
  readonly from: () => string | undefined;
  /** Where another tail may go on. */
  readonly cursor: () => string | undefined;
};

const OVERLAP_MS = 30_000;
/** Known however old they are: a clock that is set back brings them into the window again. */
const KNOWN_AT_LEAST = 10_000;

/** `after` is the last entry that was told already, if one was. */
export function tailWindow(after?: Position): TailWindow {
  let newest = after;
  let lookedAt = Number.POSITIVE_INFINITY;
  // A clock that was ahead and is set right again goes on with times before the newest.
  const from = () =>
    newest && new Date(Math.min(Date.parse(newest.recordedAt), lookedAt) - OVERLAP_MS).toISOString();
  let looked = after !== undefined;
  let isWanted = (entry: Entry) => after === undefined || isAfter(entry, after);
  const told = new Map<string, string>();
  return {
    fresh(found, answeredAt) {
      lookedAt = answeredAt?.getTime() ?? lookedAt;
      const unseen = found
        .filter((entry) => !told.has(entry.auditId) && isWanted(entry))
        .toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
      const [oldest] = unseen;
      // What is before the first that were told was left out on purpose.
      if (!looked && oldest !== undefined) isWanted = (entry) => !isAfter(oldest, entry);
      looked = true;
      for (const entry of unseen) {
        told.set(entry.auditId, entry.recordedAt);
        if (newest === undefined || isAfter(entry, newest)) newest = entry;
      }
      const since = from();
      for (const [auditId, recordedAt] of told) {
        if (told.size <= KNOWN_AT_LEAST) break;
        if (since !== undefined && Date.parse(recordedAt) < Date.parse(since)) told.delete(auditId);
      }
      return unseen;
    },
    from,
    cursor: () =>
      newest && Buffer.from(JSON.stringify([newest.recordedAt, newest.auditId])).toString("base64url"),
  };
}

export type Position = Pick<Entry, "recordedAt" | "auditId">;

/** By the moment to the microsecond, and by the id where that is one. */
function isAfter(one: Position, other: Position): boolean {
  const [a, b] = [one.recordedAt.replace("Z", ""), other.recordedAt.replace("Z", "")];
  return a === b ? one.auditId > other.auditId : a > b;
}

const positionShape = z.tuple([z.iso.datetime(), z.string()]);

export function readTailCursor(cursor: string): Position {
  try {
    const [recordedAt, auditId] = positionShape.parse(
      JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")),
    );
    return { recordedAt, auditId };
  } catch {
    throw usageFailure("--after: only what an earlier tail or page gave as its cursor is allowed.");
  }
}
