import type { z } from "zod";

/**
 * zod's issues in our words: what is wrong with the value, and what is allowed. A schema's own message goes before them. Given
 * to each parse: as zod's setting for the whole process it would speak for every library too.
 */
export const sayIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `is needed: ${typeName(issue.expected)}`
        : `is ${kindOf(issue.input)}; it must be ${typeName(issue.expected)}`;
    case "invalid_value": {
      const allowed = issue.values.map((value) =>
        typeof value === "string" ? JSON.stringify(value) : String(value),
      );
      const offered = `${allowed.length > 1 ? "one of " : ""}${allowed.join(", ")}`;
      return issue.input === undefined ? `is needed: ${offered}` : `must be ${offered}`;
    }
    case "too_small":
      return bound(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue.origin);
    case "too_big":
      return bound(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue.origin);
    case "invalid_format":
      return `must be ${formats[issue.format] ?? `a well-formed ${issue.format}`}`;
    case "invalid_union":
      return "has none of the forms that are allowed";
    case "not_multiple_of":
    case "invalid_key":
    case "invalid_element":
    case "unrecognized_keys":
    case "custom":
      return undefined;
  }
};

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const typeName = (name: string): string => typeNames[name] ?? name;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isInteger(value)) return "no whole number";
  if (typeof value === "boolean") return String(value);
  return typeName(typeof value);
}

const things: Readonly<Record<string, string>> = {
  string: "character",
  array: "item",
};

function bound(words: string, limit: number | bigint, origin: string): string {
  const thing = things[origin];
  if (thing === undefined) return `must be ${words} ${limit}`;
  return `must have ${words} ${limit} ${thing}${Number(limit) === 1 ? "" : "s"}`;
}

const formats: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  url: "a URL",
  email: "an address such as ada@example.org",
  datetime: "a time such as 2026-02-21T09:30:00Z",
  date: "a date such as 2026-02-21",
  regex: "of the form that is allowed",
};
