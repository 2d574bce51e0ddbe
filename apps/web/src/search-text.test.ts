import { assert, dictionary, property, string } from "fast-check";
import { expect, test } from "vitest";
import { searchOfText, textOfSearch } from "./search-text.ts";

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
