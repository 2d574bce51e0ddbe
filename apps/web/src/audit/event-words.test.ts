import { expect, test } from "vitest";
import { eventNames, kindOf, reasonOf, titleOf, wordOf } from "./event-words.ts";

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

const nameOf = (id: string) => new Map([["1a", "Ada $1"]]).get(id) ?? id;

test("whom a question was given to is called by name, and what somebody else wrote is left as it is", () => {
  const given = (rationale: string) => reasonOf({ eventType: "ESCALATION_ASSIGNED", rationale }, nameOf);
  expect(given("1a attends to it")).toBe("Ada $1 attends to it");
  expect(given("2b attends to it; it was with 1a")).toBe("2b attends to it; it was with Ada $1");
  expect(given("Nobody attends to it any more; it was with 1a")).toBe(
    "Nobody attends to it any more; it was with Ada $1",
  );
  const said = { eventType: "ESCALATION_COMMENTED", rationale: "1a attends to it" };
  expect(reasonOf(said, nameOf)).toBe("1a attends to it");
});
