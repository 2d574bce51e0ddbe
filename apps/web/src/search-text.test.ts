import { assert, dictionary, property, string } from "fast-check";
import { expect, test } from "vitest";
import { readsOnly, searchOfText, textOfSearch } from "./search-text.ts";

test("a parameter is text, whatever it looks like", () => {
  expect(searchOfText("?q=123&next=%2Fpacks&flag=true&empty=")).toEqual({
    q: "123",
    next: "/packs",
    flag: "true",
    empty: "",
  });
});

test("what is not text is left out, and nothing leaves no question mark", () => {
  expect(textOfSearch({ q: undefined, n: 3 })).toBe("");
  expect(textOfSearch({ q: "a&b=c" })).toBe("?q=a%26b%3Dc");
});

test("any text comes back as it was", () => {
  assert(
    property(dictionary(string(), string({ unit: "grapheme" })), (search) => {
      expect(searchOfText(textOfSearch(search))).toEqual({ ...search });
    }),
  );
});

test("what a route does not take from the address is taken away, for the router would lay it under what is taken", () => {
  const read = readsOnly(({ q }) => (typeof q === "string" && q !== "no" ? { q } : {}));
  const merged = (raw: Record<string, unknown>) => ({ ...raw, ...read(raw) });
  expect(merged({ q: "yes", next: "https://example.org" })).toEqual({ q: "yes", next: undefined });
  expect(merged({ q: "no" })).toEqual({ q: undefined });
  expect(textOfSearch(merged({ q: "yes", next: "x" }))).toBe("?q=yes");
});
