import { checkNames } from "@signalbox/core";
import { expect, test } from "vitest";
import { checkWords } from "./gate-words.ts";

test("the checks stand in the order in which the gate makes them, each with what it demands", () => {
  expect(Object.keys(checkWords)).toEqual([...checkNames]);
  for (const { demands, unless } of Object.values(checkWords)) {
    expect(demands).toMatch(/\.$/);
    expect(unless).toMatch(/\.$/);
  }
});
