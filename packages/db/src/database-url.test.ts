import { describe, expect, test } from "vitest";
import { assert, property, string } from "fast-check";
import {
  describeDatabaseUrl,
  parseDatabaseUrl,
  passwordOf,
  withCredentials,
  withDatabase,
} from "./database-url.ts";

describe("an address that would fall back to the driver's defaults is refused, with what is missing", () => {
  test.each([
    ["", "is not a Postgres address"],
    ["mysql://a:b@c/d", "is not a Postgres address"],
    ["postgres://c/d", "names no login"],
    ["postgres://a:b@/d", "is not a Postgres address"],
    ["postgres://a:b@c", "names no database"],
    ["postgres://a:b@c/", "names no database"],
  ])("%j %s", (text, message) => {
    expect(() => parseDatabaseUrl(text)).toThrow(`DATABASE_URL ${message}`);
  });
});

test.each([
  ["login", "postgres://a%:b@c/d"],
  ["password", "postgres://a:100%secret@c/d"],
  ["password", "postgres://a:secret%ff@c/d"],
  ["database", "postgres://a:b@c/d%zz"],
])("a lone %% in the %s is refused by name, without what stands there", (part, text) => {
  for (const read of [parseDatabaseUrl, describeDatabaseUrl, passwordOf]) {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        fault: "MALFORMED_URL",
        message: expect.stringMatching(`^DATABASE_URL holds a % in its ${part} .* must be written %25`),
      }),
    );
    expect(() => read(text)).not.toThrow("secret");
  }
});

test("a description never holds the password", () => {
  assert(
    property(string({ minLength: 8 }), (password) => {
      const url = withCredentials("postgres://x:y@host:6543/name", "login", password);
      expect(describeDatabaseUrl(url)).toBe("host:6543/name as login");
    }),
  );
});

test.each([".", ".."])("a database named %s is refused: no URL can hold it", (database) => {
  expect(() => withDatabase("postgres://x:y@host/name", database)).toThrow(
    `The database "${database}" cannot stand in an address`,
  );
});

test("any password and any other database name survive the way into a URL and out", () => {
  const nameOf = string({ minLength: 1 }).filter((text) => text !== "." && text !== "..");
  assert(
    property(nameOf, (text) => {
      const url = parseDatabaseUrl(
        withDatabase(withCredentials("postgres://x:y@host/name", "login", text), text),
      );
      expect(passwordOf(url.href)).toBe(text);
      expect(decodeURIComponent(url.pathname.slice(1))).toBe(text);
    }),
  );
});
