import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = import.meta.dirname;
const rulebook = readFileSync(join(source, "../SPEC.md"), "utf8");
const written = Array.from(rulebook.matchAll(/^\| (CLI-\d+) +\|/gm), ([, id]) => id);
const titles = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) => readFileSync(join(source, file), "utf8").split("\n"))
  .filter((line) => /^\s*(?:test|describe)\b|^\s*\]\)\(/.test(line));

test("every rule of SPEC.md is quoted in a test's title once it is written, and every quoted rule is in SPEC.md", () => {
  const quoted = new Set(titles.flatMap((line) => line.match(/\bCLI-\d+\b/g) ?? []));
  expect(written.length).toBeGreaterThan(10);
  expect(quoted).toEqual(new Set(written));
  expect(new Set(written).size).toBe(written.length);
});
