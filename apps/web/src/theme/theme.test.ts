import { expect, test } from "vitest";
import { nextTheme, parseTheme } from "./theme.ts";

test("the toggle passes through every theme and comes back to the system's", () => {
  expect(nextTheme("system")).toBe("light");
  expect(nextTheme("light")).toBe("dark");
  expect(nextTheme("dark")).toBe("system");
});

test.each([null, "", "sepia", "LIGHT", "system"])("a stored %j is no choice", (stored) => {
  expect(parseTheme(stored)).toBe("system");
});

test.each(["light", "dark"] as const)("a stored %s is kept", (stored) => {
  expect(parseTheme(stored)).toBe(stored);
});
