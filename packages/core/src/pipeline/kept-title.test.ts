import fc from "fast-check";
import { expect, test } from "vitest";
import { keptTitle, LONGEST_KEPT_TITLE } from "./kept-title.ts";

test("CREATE-5 a title is one line, and cut with a mark where it is longer than what is kept", () => {
  expect(keptTitle("Mend the cart's rounding")).toBe("Mend the cart's rounding");
  expect(keptTitle("  Mend\n\tthe   cart\u0000 \u0007")).toBe("Mend the cart");
  expect(keptTitle("")).toBe("");
  expect(keptTitle(" \n ")).toBe("");
  expect(keptTitle("a".repeat(500))).toBe("a".repeat(500));
  expect(keptTitle("a".repeat(501))).toBe(`${"a".repeat(499)}…`);
  expect(keptTitle("🚂".repeat(600))).toBe(`${"🚂".repeat(499)}…`);
  expect(keptTitle(`Mend${" ".repeat(10_000)}the cart`)).toBe("Mend…");
});

test("CREATE-5 whatever was sent, what is kept is bounded, on one line, and kept again as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (title) => {
      const kept = keptTitle(title);
      expect(Array.from(kept).length).toBeLessThanOrEqual(LONGEST_KEPT_TITLE);
      expect(kept).not.toMatch(/[\n\r\t\0]/);
      expect(keptTitle(kept)).toBe(kept);
    }),
  );
});
