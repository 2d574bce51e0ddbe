import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const idPattern = /\b(?:REG|PERM|AUD|READY)-\d+\b/g;
const rules = readFileSync(join(import.meta.dirname, "../SPEC.md"), "utf8").matchAll(
  /^\| ((?:REG|PERM|AUD|READY)-\d+) \|/gm,
);
const titles = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".test.ts") && file !== "spec.test.ts")
  .flatMap((file) => readFileSync(join(import.meta.dirname, file), "utf8").split("\n"))
  .filter((line) => /^\s*(?:test|describe)\b|^\s*["'`]|^\s*\]\)\(/.test(line));

test("every rule of SPEC.md is quoted in a test's title, and every quoted rule is in SPEC.md", () => {
  const quoted = new Set(titles.flatMap((line) => line.match(idPattern) ?? []));
  const written = new Set(Array.from(rules, ([, id]) => id));
  expect(written.size).toBeGreaterThan(10);
  expect(quoted).toEqual(written);
});
