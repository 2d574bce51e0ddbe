import { expect, test } from "vitest";
import { repeatedBodies } from "./repeated-bodies.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("the same bytes are known again, others and longer ones are not, and the latest are kept", () => {
  const { find, keep } = repeatedBodies<number>();
  keep(bytes("ä"), 1);
  expect(find(bytes("ä"))).toBe(1);
  expect([find(bytes("a")), find(bytes("Ã¤")), find(undefined), find(bytes(""))]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  keep(bytes("x".repeat(2_049)), 2);
  expect(find(bytes("x".repeat(2_049)))).toBeUndefined();
  for (let count = 0; count < 2_048; count += 1) {
    keep(bytes(`${count}`), count);
    find(bytes("0"));
  }
  expect([find(bytes("ä")), find(bytes("0")), find(bytes("2047"))]).toEqual([undefined, 0, 2047]);
});
