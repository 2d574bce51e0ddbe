import type { z } from "zod";
import type { FaultRule, Finding } from "./fault.ts";
import { readAs } from "./fault.ts";
import { allowedNames } from "./nearest-name.ts";

const expected: Record<string, string> = {
  string: "text (in quotes where it looks like something else)",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
};

/** zod's issues as findings that name what was read and what is allowed. `root` is the value that was checked. */
export const findingsFrom = (error: z.ZodError, root: unknown): Finding[] =>
  error.issues.flatMap((issue) => findingsOf(issue, root));

function findingsOf(issue: z.core.$ZodIssue, root: unknown): Finding[] {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.split(" ");
    return issue.keys.map((key) => ({
      path: [...path, key],
      at: "key",
      rule: "unknown_key",
      message: `${readAs(key)} is not known here. ${allowedNames(key, known)}`,
    }));
  }
  return [{ path, at: "value", ...judged(issue, valueAt(root, path)) }];
}

function judged(issue: z.core.$ZodIssue, read: unknown): Pick<Finding, "rule" | "message"> {
  if (issue.code === "invalid_type") {
    const wanted = expected[issue.expected] ?? issue.expected;
    if (read === undefined) return { rule: "required", message: `is missing; ${wanted} is needed` };
    return { rule: "type", message: `is ${readAs(read)}; ${wanted} is needed` };
  }
  if (issue.code === "too_small") {
    const least = sized(issue.origin, "at least", issue.minimum);
    return { rule: "bound", message: `is ${readAs(read)}; ${least} is allowed` };
  }
  if (issue.code === "too_big") {
    const most = sized(issue.origin, "at most", issue.maximum);
    return { rule: "bound", message: `is ${readAs(read)}; ${most} is allowed` };
  }
  return {
    rule: issue.code === "custom" ? ruleOf(issue.params?.["rule"]) : "format",
    message: issue.message,
  };
}

function sized(origin: string, bound: string, limit: number | bigint): string {
  if (origin === "string") return `${bound} ${limit} characters`;
  return origin === "array" ? `${bound} ${limit} entries` : `${bound} ${limit}`;
}

const customRules = ["format", "bound", "one_of", "contract"] as const satisfies readonly FaultRule[];
const ruleOf = (rule: unknown): FaultRule => customRules.find((known) => known === rule) ?? "format";

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
