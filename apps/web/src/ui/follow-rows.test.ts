import { expect, test } from "vitest";
import { followRows } from "./follow-rows.ts";

const rows = followRows([], ["a", "b", "c"]);
const ids = (texts: readonly string[], before = rows) => followRows(before, texts).map(({ id }) => id);

test("rows are numbered as they come, and stay what they are while nothing changes", () => {
  expect(ids(["a", "b", "c"], [])).toEqual([0, 1, 2]);
  expect(ids(["a", "b", "c"])).toEqual([0, 1, 2]);
});

test("a row that is written in is the same row, and one that goes takes nobody's place", () => {
  expect(ids(["a", "bb", "c"])).toEqual([0, 1, 2]);
  expect(ids(["a", "c"])).toEqual([0, 2]);
  expect(ids(["b", "c"])).toEqual([1, 2]);
  expect(ids([])).toEqual([]);
});

test("a row that comes is a new one, wherever it comes", () => {
  expect(ids(["a", "b", "c", "d"])).toEqual([0, 1, 2, 3]);
  expect(ids(["z", "a", "b", "c"])).toEqual([3, 0, 1, 2]);
  expect(ids(["a", "x", "b", "c"])).toEqual([0, 3, 1, 2]);
});

test("rows that are alike are told apart", () => {
  const alike = followRows([], ["a", "a", "a"]);
  expect(ids(["a", "a"], alike)).toEqual([0, 1]);
  expect(new Set(ids(["a", "a", "a", "a"], alike)).size).toBe(4);
});
