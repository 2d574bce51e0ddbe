import { readFileSync } from "node:fs";
import { Outcome, OutcomeSchema } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCondition, factsOf, isWayOn } from "./condition.ts";

const facts = factsOf(
  { status: "success", data: { score: 0.9, list: ["a", "b"], n: 5 }, message: "Done", nextStepHint: "ship" },
  Outcome.SUCCESS,
);
function evaluate(text: string): unknown {
  const found = compileCondition(text);
  if (found.kind === "faulty") throw new Error(found.fault.message);
  const value = found.condition.expression.evaluate(facts);
  return value.kind === "value" ? value.value : value.why;
}

test.each([
  ['response.status == "success"', true],
  ['response.status == "failure"', false],
  ["response.data.score > 0.8", true],
  ['response.data.list.exists(one, one == "b")', true],
  ["size(response.data.list) > 2", false],
  ["response.data.n == 5", true],
  ["has(response.data.missing) && response.data.missing > 1", false],
  ['response.data["score"] >= 0.9', true],
  ['response.next_step_hint == "ship"', true],
  ['response.message.contains("Done")', true],
  ['result.outcome in ["SUCCESS", "PARTIAL"]', true],
  ["response.data.missing > 1", "No such key: missing"],
  ["response.data.constructor != null", "No such key: constructor"],
  ["response.data.__proto__ != null", "No such key: __proto__"],
])("SACP-10 %s is %s", (text, value) => {
  expect(evaluate(text)).toBe(value);
});

test("SACP-11 the guide lists every word that an outcome can be", () => {
  const guide = readFileSync(new URL("../../../../docs/sacp.md", import.meta.url), "utf8");
  const [, listed = ""] = /`result\.outcome` \(([^)]+)\)/.exec(guide) ?? [];
  const known = OutcomeSchema.values.filter(({ number }) => number !== 0);
  expect(Array.from(listed.matchAll(/`(\w+)`/g), ([, word]) => word)).toEqual(
    known.map(({ localName }) => localName),
  );
});

const part = fc.constantFrom(
  'response.status == "success"',
  'response.status in ["failure", "completed"]',
  'result.outcome == "SUCCESS"',
  '!response.status.contains("🙂")',
  "1e21 > 1.0",
  "0.0000000001 > 0.0",
  "10 - (3 - size(response.status)) > 10",
  "response.data.n > 10.0",
  "has(response.data.n)",
  'response.message == ""',
);
const { anyCondition } = fc.letrec<{ anyCondition: string }>((tie) => ({
  anyCondition: fc.oneof(
    { maxDepth: 4 },
    part,
    tie("anyCondition").map((one) => `!(${one})`),
    fc
      .tuple(tie("anyCondition"), fc.constantFrom("&&", "||", "=="), tie("anyCondition"))
      .map(([one, how, other]) => `(${one}) ${how} (${other})`),
    fc
      .tuple(tie("anyCondition"), tie("anyCondition"), tie("anyCondition"))
      .map(([asked, one, other]) => `(${asked}) ? (${one}) : (${other})`),
  ),
}));
const anyAnswer = fc.record({
  data: fc.constantFrom({}, { n: 1 }, { n: 20 }),
  message: fc.constantFrom("", "Done"),
});

test("SACP-34 a way that some answer of a stage that was done takes is one that any other answer of it has missed", () => {
  fc.assert(
    fc.property(anyCondition, anyAnswer, anyAnswer, (text, taking, other) => {
      const found = compileCondition(text);
      fc.pre(found.kind === "compiled");
      const said = (answer: typeof taking) =>
        factsOf({ status: "success", nextStepHint: "", ...answer }, Outcome.SUCCESS);
      const came = found.condition.expression.evaluate(said(taking));
      fc.pre(came.kind === "value" && came.value === true);
      expect(isWayOn(found.condition, said(other))).toBe(true);
    }),
  );
});

const deep = `${"(".repeat(60)}response.data.a${")".repeat(60)} == 1`;
describe("SACP-10 SACP-11 what no condition is, is refused with where and what is allowed", () => {
  test.each([
    ["response.status >", "Unexpected token: EOF", 17],
    ["respons.status == 'x'", "Unknown variable: respons", 0],
    ["response.statu == 'x'", "No such key: statu", 9],
    ["response.thought == 'x'", "No such key: thought", 9],
    ["response.status == 3", "no such overload: string == int", 0],
    ["response.status", "is of type string; a condition is true or false", 0],
    ["true", "looks at nothing of the answer, so it is always the same", 0],
    ["1 < 2", "looks at nothing of the answer, so it is always the same", 0],
    [
      'response.status == "sucess"',
      'response.status is never "sucess". Did you mean success? Allowed: success, completed, failure, clarification_needed',
      19,
    ],
    [
      'result.outcome in ["FAILED"]',
      'result.outcome is never "FAILED". Allowed: SUCCESS, PARTIAL, RETRYABLE_FAILURE, NON_RETRYABLE_FAILURE, POLICY_BLOCKED',
      19,
    ],
    [
      'response.message.matches("(a+)+$")',
      "matches() is not offered: a pattern can take time without end. Use contains(), startsWith() or endsWith()",
      0,
    ],
    [
      "response.data.l.all(x, response.data.l.all(y, x == y))",
      "all() stands inside another macro; one level is allowed",
      23,
    ],
    [`response.message == "${"x".repeat(2_000)}"`, "has 2022 characters; at most 2000 are allowed", 0],
  ])("%s", (text, message, offset) => {
    expect(compileCondition(text)).toEqual({ kind: "faulty", fault: { message, offset } });
  });

  test("nor one that is nested beyond measure", () => {
    expect(compileCondition(deep).kind).toBe("faulty");
  });
});
