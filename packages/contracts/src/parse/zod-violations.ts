import type { z } from "zod";
import { formatFieldPath } from "../errors/field-path.ts";
import { SignalboxError, type Violation } from "../errors/signalbox-error.ts";

/** zod's issues in the one form of violations. The rule is zod's code, with the format where it is about one. */
export function violationsFromZod(error: z.ZodError): Violation[] {
  return error.issues.map((issue) => ({
    field: formatFieldPath(issue.path.map((step) => (typeof step === "number" ? step : String(step)))),
    rule: issue.code === "invalid_format" ? `invalid_format.${issue.format}` : issue.code,
    message: issue.message,
  }));
}

/** A value in the shape of a zod schema, or VALIDATION_FAILED with every violation. */
export function checkShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SignalboxError("VALIDATION_FAILED", "The body breaks its schema", {
    violations: violationsFromZod(result.error),
  });
}
