import { searchWords } from "../search-text.ts";

/** What the record is narrowed by, as the URL has it: shared, it finds the same. */
export type AuditFilter = Partial<Record<FilterName, string>>;
export type FilterName = (typeof filterNames)[number];

/** As much of an id as the server looks for. */
const MOST_OF_A_NAME = 500;
const filterNames = ["q", "eventType", "packId", "pipelineId", "traceId", "actor", "from", "to"] as const;

/** Of a URL's search, what is a filter: blanks narrow nothing, and what cannot be a moment or a type is left out. */
export function filterOf(search: Record<string, unknown>): AuditFilter {
  const given = filterNames.flatMap((name) => {
    const text = searchWords(search[name], name === "q" ? undefined : MOST_OF_A_NAME) ?? "";
    return isUsable(name, text) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(given);
}

function isUsable(name: FilterName, text: string): boolean {
  if (text === "") return false;
  if (name === "eventType") return /^[A-Z][A-Z_]{2,63}$/.test(text);
  if (name === "from" || name === "to")
    return /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));
  return true;
}

export const isNarrowed = (filter: AuditFilter): boolean =>
  Object.values(filter).some((said) => said !== undefined);

/** A moment as an input of the kind `datetime-local` has it, in the reader's own time zone. */
export function localOf(moment: string | undefined): string {
  if (moment === undefined) return "";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return "";
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** The moment that was put in, in UTC; nothing where none was. */
export function momentOf(local: string): string | undefined {
  const date = new Date(local);
  return local === "" || Number.isNaN(date.getTime())
    ? undefined
    : date.toISOString().replace(":00.000Z", ":00Z");
}
