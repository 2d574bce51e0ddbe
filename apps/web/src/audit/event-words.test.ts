import { expect, test } from "vitest";
import { eventNames, kindOf, titleOf, wordOf } from "./event-words.ts";

test("no two kinds of entries have the same words", () => {
  const words = eventNames.map(wordOf);
  expect(words.length).toBeGreaterThan(50);
  expect(new Set(words).size).toBe(words.length);
  expect(wordOf("SOMETHING_NEWER")).toBe("SOMETHING_NEWER");
});

test("a title says what was done in words, and what it leaves unsaid stands beside it", () => {
  const fact = { action: "pipeline.paused-on-people", eventType: "PIPELINE_PAUSED" };
  expect([titleOf(fact), kindOf(fact)]).toEqual(["Pipeline paused", "pipeline.paused-on-people"]);
  const deed = { action: "registered pack painter 1.0.0", eventType: "PACK_REGISTERED" };
  expect([titleOf(deed), kindOf(deed)]).toEqual(["registered pack painter 1.0.0", "Pack registered"]);
  const silent = { action: "", eventType: "SIGNED_IN" };
  expect([titleOf(silent), kindOf(silent)]).toEqual(["Signed in", "Signed in"]);
});
