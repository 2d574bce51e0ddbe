import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refuseHalfPairs, refuseHalfPairsIn } from "./storable.ts";

const refuses = (work: () => void): boolean => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};

describe("half of a surrogate pair", () => {
  test.each([
    "\ud83d",
    { a: [{ b: "x\ude00" }] },
    { "\ud800": 1 },
    ["whole \u{1f600}", "\u{1f600}".slice(1)],
  ])("is refused wherever it stands", (value) => {
    expect(() => refuseHalfPairsIn(value)).toThrow("half of a surrogate pair");
  });

  test("is found in a value as it is in what is printed of it", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "\\ud800", "\u{1f600}"));
    fc.assert(
      fc.property(fc.object({ key: text, values: [text, fc.integer(), fc.constant(null)] }), (value) => {
        expect(refuses(() => refuseHalfPairsIn(value))).toBe(
          refuses(() => refuseHalfPairs(JSON.stringify(value))),
        );
      }),
    );
  });
});
