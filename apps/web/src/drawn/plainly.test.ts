import { expect, test } from "vitest";
import { drawnProps } from "./drawn-props.ts";
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

const component = () => null;

test("what a component was given and hands on to an element is drawn once, alone and among others", () => {
  for (const children of ["דנה", ["דנה", ", ", "admin"]]) {
    const given = drawnProps(component, { children });
    expect(drawnProps("dd", given)).toEqual(given);
  }
  expect(drawnProps("dd", drawnProps(component, { children: "ד\u202Eה" })).children).toBe(
    "\u2068ד‹U+202E›ה\u2069",
  );
  expect(plainly("\u2068a\u202Eb\u2069c")).toBe("‹U+2068›a‹U+202E›b‹U+2069›c");
});

test("what is chosen from a list is drawn like all else where a value says what it is, and left alone where it is the value", () => {
  const children = "a\u202Eb";
  expect(drawnProps("option", { value: "m1", children })).toEqual({ value: "m1", children: "a‹U+202E›b" });
  for (const type of ["option", "textarea", "style"])
    expect(drawnProps(type, { children })).toEqual({ children });
  const title = { title: children, "aria-label": children };
  expect(drawnProps("abbr", title)).toEqual({ title: "a‹U+202E›b", "aria-label": "a‹U+202E›b" });
  expect(drawnProps(component, title)).toBe(title);
});
