import assert from "node:assert/strict";
import { test } from "node:test";
import { max, mean, sum } from "../src/numbers.js";

test("max is the highest", () => {
  assert.equal(max([3, 11, 7]), 11);
  assert.equal(max([-3, -11]), -3);
});

test("sum adds up", () => {
  assert.equal(sum([1, 2, 3]), 6);
  assert.equal(sum([]), 0);
});

test("mean is what each would have", () => {
  assert.equal(mean([2, 4]), 3);
  assert.equal(mean([]), 0);
});
