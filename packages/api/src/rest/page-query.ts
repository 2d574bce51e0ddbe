import { SignalboxError, type Violation } from "@signalbox/contracts";
import { pageLimit, type PageRequest } from "@signalbox/engine";

const parameters = ["cursor", "limit", "query"] as const;

/** The query of a list, with every fault named. What is not a parameter is a slip of the pen, and is said so. */
export function pageQuery(query: unknown): PageRequest {
  const given = new Map(Object.entries(query ?? {}));
  const violations: Violation[] = [];
  const text = (name: (typeof parameters)[number]): string | undefined => {
    const value: unknown = given.get(name);
    if (value === undefined || typeof value === "string") return value;
    violations.push({ field: name, rule: "single", message: "give it once" });
    return undefined;
  };
  for (const name of given.keys()) {
    if (parameters.some((parameter) => parameter === name)) continue;
    const message = `there is no such parameter; ${parameters.join(", ")} are`;
    violations.push({ field: name.slice(0, 64), rule: "unknown", message });
  }
  const [cursor, limit, search] = [text("cursor"), text("limit"), text("query")];
  const number = limit === undefined ? undefined : /^\d{1,9}$/.test(limit) ? Number(limit) : Number.NaN;
  if (Number.isNaN(number)) {
    violations.push({
      field: "limit",
      rule: "integer",
      message: `a whole number from 1 to ${pageLimit.most}`,
    });
  }
  if (violations.length > 0) {
    throw new SignalboxError("VALIDATION_FAILED", "The query of the list cannot be used.", { violations });
  }
  return { cursor, limit: number, query: search };
}
