// Tries sum and mean with numbers drawn at random, for as long as it is told, at a pace that leaves the machine to others.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { mean, sum } from "./src/numbers.js";

const seconds = Number(process.argv[process.argv.indexOf("--seconds") + 1]);
if (!(seconds > 0)) throw new RangeError("usage: node soak.mjs --seconds 60");
const until = performance.now() + seconds * 1000;
let rounds = 0;
let said = performance.now();
while (performance.now() < until) {
  for (let one = 0; one < 200; one += 1) {
    const numbers = Array.from({ length: one }, () => Math.round(Math.random() * 2000 - 1000));
    assert.equal(sum(numbers.toReversed()), sum(numbers));
    assert.ok(mean(numbers) <= Math.max(0, ...numbers));
    assert.ok(mean(numbers) >= Math.min(0, ...numbers));
  }
  rounds += 200;
  if (performance.now() - said > 5000) {
    said = performance.now();
    console.log(`${rounds} rounds held so far`);
  }
  await pause(100);
}
console.log(`${rounds} rounds held`);
