import fc from "fast-check";
import { expect, test } from "vitest";
import { partsOf } from "./marked-text.ts";

test("what was masked stands by its rule between the text around it", () => {
  expect(partsOf("token=[redacted:github-token] ok")).toEqual([
    { at: 0, text: "token=" },
    { at: 6, rule: "github-token" },
    { at: 29, text: " ok" },
  ]);
  expect(partsOf("[redacted:jwt][redacted:jwt]")).toEqual([
    { at: 0, rule: "jwt" },
    { at: 14, rule: "jwt" },
  ]);
  expect(partsOf("[redacted:] [redacted:A] [redacted")).toEqual([
    { at: 0, text: "[redacted:] [redacted:A] [redacted" },
  ]);
  expect(partsOf("")).toEqual([]);
});

test("put together again it is the text that was given", () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom("[redacted:jwt]", "[redacted:", "]", "a-b"));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const again = partsOf(text).map((part) => ("rule" in part ? `[redacted:${part.rule}]` : part.text));
      expect(again.join("")).toBe(text);
    }),
  );
});
