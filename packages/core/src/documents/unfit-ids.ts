import type { FieldPath } from "@signalbox/contracts";
import { findIdentifierFaults } from "../identifier.ts";
import type { Finding } from "./fault.ts";

/** The keys under which a document names what others name too. Its shape says how long it may be. */
const idKey = /(?:^|_)(?:ids?|task_types?|stages|capability|principle|territory)$/;
/** White space, too, is for the shape to refuse, but in a territory, which may hold some. */
const refusedByShape = /[\s\p{Cc}]/u;

/** DOC-37: of a value of any shape, each id that could not be told from another, with where it stands. */
export function findUnfitIds(value: unknown, path: FieldPath = [], isId = false): Finding[] {
  if (typeof value === "string") {
    if (!isId || (path.at(-1) !== "territory" && refusedByShape.test(value))) return [];
    return findIdentifierFaults("", value, Number.POSITIVE_INFINITY).map(({ message }) => ({
      path,
      at: "value",
      rule: "format",
      message,
    }));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    Array.isArray(value)
      ? findUnfitIds(inner, [...path, Number(key)], isId)
      : findUnfitIds(inner, [...path, key], idKey.test(key)),
  );
}
