import type { DescEnum } from "@bufbuild/protobuf";
import { valid as validVersion } from "semver";
import { z } from "zod";
import { DURATION_EXAMPLES, LONGEST_DURATION_MS, parseDuration, printDuration } from "./duration-text.ts";
import { readAs } from "./fault.ts";
import { allowedNames } from "./nearest-name.ts";

/**
 * A mapping whose keys are all known. The message of an unknown key holds the names that are allowed, which
 * `findingsFrom` makes into sentences: zod's issue tells what was read and not what was known.
 */
export const closed = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(" ") : undefined),
  });

/** An identifier that people choose: it goes into URLs, tables and messages. */
export const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !/[\s\p{Cc}]/u.test(text), {
    error: "holds white space or control characters; a name has none",
    params: { rule: "format" },
  });

export const version = z.string().refine((text) => validVersion(text) === text.replace(/\+.*/u, ""), {
  error: (issue) =>
    `is ${readAs(issue.input)}, which is not a semantic version; write three numbers such as 1.4.0`,
  params: { rule: "format" },
});

/** A duration, as milliseconds. */
export const duration = (least: number) =>
  z.string().transform((text, context) => {
    const milliseconds = parseDuration(text);
    if (milliseconds === undefined) {
      const message = `is ${readAs(text)}, which is not a duration; write ${DURATION_EXAMPLES}`;
      context.issues.push({ code: "custom", input: text, message, params: { rule: "format" } });
      return z.NEVER;
    }
    if (milliseconds >= least && milliseconds <= LONGEST_DURATION_MS) return milliseconds;
    const bounds = `from ${printDuration(least)} to ${printDuration(LONGEST_DURATION_MS)}`;
    const message = `is ${readAs(text)}; a duration ${bounds} is allowed`;
    context.issues.push({ code: "custom", input: text, message, params: { rule: "bound" } });
    return z.NEVER;
  });

/** The short names of an enum in the order of the contract; the one that says nothing is not among them. */
export const shortNames = (desc: DescEnum): Map<string, string> =>
  new Map(
    desc.values
      .filter(({ number }) => number !== 0)
      .map((value) => [value.name.slice(desc.sharedPrefix?.length ?? 0), value.name]),
  );

/** A value of an enum of the contract by its short or its full name, as its full name. */
export const enumName = (desc: DescEnum) => {
  const names = shortNames(desc);
  const full = new Set(names.values());
  return z.string().transform((text, context) => {
    const found = full.has(text) ? text : names.get(text);
    if (found !== undefined) return found;
    const message = `is ${readAs(text)}. ${allowedNames(text, [...names.keys()])}`;
    context.issues.push({ code: "custom", input: text, message, params: { rule: "one_of" } });
    return z.NEVER;
  });
};
