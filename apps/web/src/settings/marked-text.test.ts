import fc from "fast-check";
import { expect, test } from "vitest";
import { stretchesOf } from "./marked-text.ts";

test("markers of what was masked stand apart, and those that somebody wrote do not", () => {
  expect(stretchesOf("a [redacted:jwt] b [redacted:email]", new Set(["jwt"]))).toEqual([
    { text: "a ", rule: undefined },
    { text: "[redacted:jwt]", rule: "jwt" },
    { text: " b [redacted:email]", rule: undefined },
  ]);
  expect(stretchesOf("", new Set(["jwt"]))).toEqual([]);
});

test("joined, they are the text", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("[redacted:jwt]", "[redacted:", "]", "[redacted:email]"),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const stretches = stretchesOf(text, new Set(["jwt"]));
      expect(stretches.map((stretch) => stretch.text).join("")).toBe(text);
    }),
  );
});
