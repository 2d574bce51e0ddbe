import { expect, test } from "vitest";
import { plainly } from "./plainly.ts";

test("a control that would draw a text in another order stands there as a mark", () => {
  expect(plainly("invoice\u202Efdp.exe")).toBe("invoice‹U+202E›fdp.exe");
  const all = ["\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"];
  for (const control of all) expect(plainly(`a${control}b`)).toMatch(/^a‹U\+20[26][0-9A-E]›b$/);
});

test("a name that is drawn from the right is isolated from what stands beside it, and nothing else is touched", () => {
  for (const name of ["דנה", "سلمى", "Ada דנה"]) expect(plainly(name)).toBe(`\u2068${name}\u2069`);
  for (const text of ["", "Ada", "Größe 10 — “x”", "北京", "👩‍🚀"]) expect(plainly(text)).toBe(text);
  expect(plainly("א\u2069ב")).toBe("\u2068א‹U+2069›ב\u2069");
});
