import { readShape, SignalboxError, violationsFromZod } from "@signalbox/contracts";
import type { z } from "zod";

/** A value by its zod schema; every issue becomes a violation in the one form that all transports use. */
export function readWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = readShape(schema, value);
  if (result.success) return result.data;
  throw violationsOf(result.error);
}

export const violationsOf = (error: z.core.$ZodError): SignalboxError =>
  new SignalboxError("VALIDATION_FAILED", "What was sent breaks a rule.", {
    violations: violationsFromZod(error),
  });
