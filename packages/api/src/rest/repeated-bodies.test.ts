import { expect, test } from "vitest";
import { repeatedBodies } from "./repeated-bodies.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("what was said twice is known the next time, other and longer bytes are not, and the latest are kept", () => {
  const { find, keep } = repeatedBodies<number>();
  const twice = (text: string, made: number) => {
    keep(bytes(text), made);
    keep(bytes(text), made);
  };
  twice("ä", 1);
  expect(find(bytes("ä"))).toBe(1);
  expect([find(bytes("a")), find(bytes("Ã¤")), find(undefined), find(bytes(""))]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  twice("x".repeat(2_049), 2);
  expect(find(bytes("x".repeat(2_049)))).toBeUndefined();
  for (let count = 0; count < 2_048; count += 1) {
    twice(`${count}`, count);
    find(bytes("0"));
  }
  expect([find(bytes("ä")), find(bytes("0")), find(bytes("2047"))]).toEqual([undefined, 0, 2047]);
});

test("what was said once is not kept", () => {
  const { find, keep } = repeatedBodies<number>();
  keep(bytes("once"), 1);
  expect(find(bytes("once"))).toBeUndefined();
  keep(bytes("once"), 2);
  expect(find(bytes("once"))).toBe(2);
});

test("what is kept stays as it was when the sender's bytes are overwritten, and one byte tells two apart", () => {
  const { find, keep } = repeatedBodies<number>();
  const said = bytes("the same");
  keep(said, 1);
  keep(said, 1);
  said.fill(0);
  expect([find(said), find(bytes("the same"))]).toEqual([undefined, 1]);
  for (let at = 0; at < 8; at += 1) {
    const other = bytes("the same");
    other[at] = (other[at] ?? 0) ^ 0x80;
    expect(find(other)).toBeUndefined();
  }
});
