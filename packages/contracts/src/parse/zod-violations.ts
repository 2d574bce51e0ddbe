import type { z } from "zod";
import { formatFieldPath } from "../errors/field-path.ts";
import { SignalboxError, type Violation } from "../errors/signalbox-error.ts";
import { sayIssue } from "./say-issue.ts";

/** As much of a name as a violation repeats of what it was sent. */
const MOST_OF_A_NAME = 64;

/** zod's issues in the one form of violations. The rule is zod's code, with the format where it is about one. */
export function violationsFromZod(error: z.core.$ZodError): Violation[] {
  return error.issues.flatMap((issue): Violation[] => {
    const at = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        field: formatFieldPath([...at, key.slice(0, MOST_OF_A_NAME)]),
        rule: "unknown",
        message: "there is no such field here",
      }));
    const rule = issue.code === "invalid_format" ? `invalid_format.${issue.format}` : issue.code;
    return [{ field: formatFieldPath(at), rule, message: issue.message }];
  });
}

/** What zod makes of a value, with its faults in our words. */
export const readShape = <Schema extends z.ZodType>(schema: Schema, value: unknown) =>
  schema.safeParse(value, { error: sayIssue });

/** A value in the shape of a zod schema, or VALIDATION_FAILED with every violation. */
export function checkShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = readShape(schema, value);
  if (result.success) return result.data;
  throw new SignalboxError("VALIDATION_FAILED", "The body breaks its schema", {
    violations: violationsFromZod(result.error),
  });
}
