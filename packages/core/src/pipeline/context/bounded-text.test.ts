import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedText, clip } from "./bounded-text.ts";

const passage = (text: string, what = "x") => ({ text, what, from: null });

test("CARRY-6 what fits is left alone", () => {
  expect(boundedText([passage("one"), passage(""), passage("two")], 100)).toEqual({
    text: "one\n\ntwo",
    leftOut: [],
  });
});

test("CARRY-6 a passage that does not fit is clipped with its loss, and what comes after is left out", () => {
  const { text, leftOut } = boundedText(
    [passage("short"), passage("l".repeat(2_000), "long"), passage("m".repeat(300), "more")],
    1_000,
  );
  expect(text.length).toBeLessThanOrEqual(1_000);
  const clipped = leftOut[0]?.characters ?? 0;
  expect(text).toContain(`[… ${clipped} characters left out]`);
  expect(leftOut).toEqual([
    { what: "long", from: null, characters: clipped },
    { what: "more", from: null, characters: 300 },
  ]);
  expect(text).toMatch(
    new RegExp(String.raw`\[Left out for length: ${clipped + 300} characters of 2 passages\]$`, "u"),
  );
});

test("CARRY-6 a smaller passage still gets in after one that had no room", () => {
  const { text } = boundedText([passage("a".repeat(700)), passage("b".repeat(400)), passage("last")], 1_000);
  expect(text).toContain("last");
});

test("CARRY-6 no cut goes through a character, and no limit is exceeded", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 400 }),
      fc.integer({ min: 60, max: 400 }),
      (text, limit) => {
        const clipped = clip(text, limit);
        expect(clipped.text.length).toBeLessThanOrEqual(limit);
        expect(clipped.text.isWellFormed()).toBe(true);
        expect(clipped.lost > 0).toBe(text.length > limit);
      },
    ),
  );
});
