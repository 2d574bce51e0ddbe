import { UuidSchema } from "@signalbox/contracts/sap";
import { readMomentCursor, refuseCursor, writeCursor } from "../../page.ts";

/** A page and where the next one begins. */
export type Page<T> = { readonly rows: readonly T[]; readonly nextCursor: string | undefined };

export const paged = <T>(
  found: readonly T[],
  limit: number,
  positionOf: (row: T) => readonly string[],
): Page<T> => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > limit && last !== undefined ? writeCursor(positionOf(last)) : undefined,
  };
};

/** Where a list that is ordered by time goes on. */
export function momentCursor(cursor: string | undefined): { at: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [at = "", id = ""] = readMomentCursor(cursor, 2);
  if (!UuidSchema.safeParse(id).success) throw refuseCursor();
  return { at, id };
}
