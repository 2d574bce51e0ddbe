import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { mergeTexts } from "./merge-texts.ts";

const base = "a\nb\nc\nd\ne\n";

test("what each changed at a place of its own is in the result", () => {
  expect(mergeTexts(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\nf\n")).toEqual({
    kind: "merged",
    text: "A\nb\nc\nd\nE\nf\n",
  });
});

test("a line that one removed and nobody else touched is gone", () => {
  expect(mergeTexts(base, "a\nc\nd\ne\n", "a\nb\nc\nd\nx\ne\n")).toEqual({
    kind: "merged",
    text: "a\nc\nd\nx\ne\n",
  });
});

test("the same change by both is one change", () => {
  expect(mergeTexts(base, "a\nX\nc\nd\ne\n", "a\nX\nc\nd\ne\n")).toEqual({
    kind: "merged",
    text: "a\nX\nc\nd\ne\n",
  });
});

test("the same lines changed differently are a person's to decide", () => {
  expect(mergeTexts(base, "a\nX\nc\nd\ne\n", "a\nY\nc\nd\ne\n")).toEqual({ kind: "overlap", places: 1 });
});

test("two insertions at one place have no order of their own", () => {
  expect(mergeTexts(base, "a\nb\nmine\nc\nd\ne\n", "a\nb\ntheirs\nc\nd\ne\n").kind).toBe("overlap");
});

test("a text without an end of its last line keeps that", () => {
  expect(mergeTexts("a\nb\nc", "A\nb\nc", "a\nb\nc")).toEqual({ kind: "merged", text: "A\nb\nc" });
});

test("with nothing changed on one side the result is the other's, whatever they are", () => {
  const text = array(constantFrom("a\n", "b\n", "c\n", "")).map((lines) => lines.join(""));
  assert(
    property(text, text, (one, other) => {
      expect(mergeTexts(one, other, one)).toEqual({ kind: "merged", text: other });
      expect(mergeTexts(one, one, other)).toEqual({ kind: "merged", text: other });
    }),
  );
});
