import { readShape, SignalboxError } from "@signalbox/contracts";
import { pageLimit } from "@signalbox/engine";
import { z } from "zod";

const limitText = `a whole number from 1 to ${pageLimit.most}`;
const page = {
  cursor: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, limitText)
    .transform(Number)
    .optional(),
};

/** The parameters of a list: its own beside those of every list. */
export const listQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  z.strictObject({ ...page, ...filters });

/** The query of a path, with every fault named. What is not a parameter is a slip of the pen, and is said so. */
export function readQuery<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, query: unknown) {
  const given: Record<string, unknown> = Object.fromEntries(Object.entries(query ?? {}));
  const unstorable = Object.keys(given).filter((name) => String(given[name]).includes("\0"));
  const result = readShape(schema, given);
  if (result.success && unstorable.length === 0) return result.data;
  throw new SignalboxError("VALIDATION_FAILED", "The query cannot be used.", {
    violations: [
      ...unstorable.map((name) => fault(name, "no_nul", "must not contain the character U+0000")),
      ...(result.error?.issues ?? []).flatMap((issue) => faultsOf(issue, given, Object.keys(schema.shape))),
    ],
  });
}

const fault = (field: string, rule: string, message: string) => ({
  field: field.slice(0, 64),
  rule,
  message,
});

function faultsOf(issue: z.core.$ZodIssue, given: Record<string, unknown>, known: readonly string[]) {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) =>
      fault(key, "unknown", `there is no such parameter; ${known.join(", ")} are`),
    );
  const field = String(issue.path[0] ?? "");
  if (Array.isArray(given[field])) return [fault(field, "single", "give it once")];
  return [fault(field, issue.code, issue.message)];
}

/** What both a `Date` and PostgreSQL hold, whose ranges differ. An offset may lead out of the years that four digits write. */
const isWithinYears = (date: Date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

/** A moment as RFC 3339 writes it. */
export const momentParameter = z.iso
  .datetime({ offset: true, error: "a moment such as 2026-01-31T12:00:00Z" })
  .transform((text) => new Date(text))
  .refine(isWithinYears, { error: "a moment of the years 0001 to 9999 in UTC" })
  .optional();

/** One of a set of names. */
export const namedParameter = <T>(numberOf: (name: string) => T | undefined, allowed: string) =>
  z
    .string()
    .transform((name, context) => {
      const value = numberOf(name);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: `one of ${allowed}` });
      return z.NEVER;
    })
    .optional();

const truths = new Map([
  ["", true],
  ["true", true],
  ["false", false],
]);
export const truthParameter = namedParameter((name) => truths.get(name), "true, false");

export const textParameter = z.string().optional();
