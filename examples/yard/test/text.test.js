import assert from "node:assert/strict";
import { test } from "node:test";
import { greet, shout } from "../src/text.js";

test("greet greets by name", () => {
  assert.equal(greet("Ada"), "Hello, Ada.");
});

test("shout is louder", () => {
  assert.equal(shout(greet("Ada")), "HELLO, ADA!");
});
