import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = import.meta.dirname;
const filesBelow = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(folder, file), "utf8"));

/** What both sides of the wire must do alike about SACP stands in contracts, and its rules stand here. */
const sacp = join(source, "../../contracts/src/sacp");

const rulebooks = [readFileSync(join(source, "../SPEC.md"), "utf8"), ...filesBelow(source, "SPEC.md")];
const written = rulebooks.flatMap((text) =>
  Array.from(text.matchAll(/^\| ([A-Z]+-\d+) +\|/gm), ([, id]) => id),
);
const families = [...new Set(written.map((id) => id?.split("-")[0]))];
const idPattern = new RegExp(String.raw`\b(?:${families.join("|")})-\d+\b`, "g");

const titles = [...filesBelow(source, ".test.ts"), ...filesBelow(sacp, ".test.ts")]
  .flatMap((text) => text.split("\n"))
  .filter((line) => /^\s*(?:test|describe)\b|^\s*["'`]|^\s*\]\)\(/.test(line));

test("every rule of SPEC.md is quoted in a test's title, and every quoted rule is in SPEC.md", () => {
  const quoted = new Set(titles.flatMap((line) => line.match(idPattern) ?? []));
  expect(written.length).toBeGreaterThan(10);
  expect(quoted).toEqual(new Set(written));
});

test("no rule is numbered twice", () => {
  expect(written.filter((id, position) => written.indexOf(id) !== position)).toEqual([]);
});
