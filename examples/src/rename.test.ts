import { expect, test } from "vitest";
import { renameAnywhere, renameWhole } from "./rename.ts";

const text = `export const max = (a) => Math.max(...a); // maximum of max("max")`;

test("a name is renamed wherever it stands by itself, and nothing that only holds its letters", () => {
  expect(renameWhole(text, "max", "largest")).toBe(
    `export const largest = (a) => Math.max(...a); // maximum of largest("largest")`,
  );
});

test("letters are replaced wherever they stand, which is what makes the demonstration's first attempt fail", () => {
  expect(renameAnywhere(text, "max", "largest")).toContain("Math.largest");
});
