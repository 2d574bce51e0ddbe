import { formatFieldPath, SignalboxError } from "@signalbox/contracts";
import type { z } from "zod";

/** A value by its zod schema; every issue becomes a violation in the one form that all transports use. */
export function readWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw violationsOf(result.error);
}

export const violationsOf = (error: z.core.$ZodError): SignalboxError =>
  new SignalboxError("VALIDATION_FAILED", "What was sent breaks a rule.", {
    violations: error.issues.flatMap((issue) => {
      if (issue.code !== "unrecognized_keys")
        return [{ field: fieldOf(issue.path), rule: issue.code, message: issue.message }];
      return issue.keys.map((key) => ({
        field: fieldOf([...issue.path, key.slice(0, 64)]),
        rule: "unknown",
        message: "there is no such field here",
      }));
    }),
  });

const fieldOf = (path: readonly PropertyKey[]): string =>
  formatFieldPath(path.map((step) => (typeof step === "symbol" ? String(step) : step)));
