import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANSWER_LIMITS } from "./limits.ts";
import { readAnswer } from "./read-answer.ts";
import { fallbackResponse, isFallback, SacpResponseSchema } from "./response.ts";
import { goodAnswer, modelOutputs } from "./testing/model-outputs.ts";

describe("SACP-3 SACP-4 what a model meant is found in", () => {
  test.each(modelOutputs.filter(({ means }) => means !== null))("$name", ({ output, means, source }) => {
    const read = readAnswer(output);
    expect(read.response).toEqual(means);
    expect(read.fault).toBeNull();
    expect(read.source).toBe(source ?? read.source);
  });
});

describe("SACP-5 the fallback stands in, word for word, for", () => {
  test.each(modelOutputs.filter(({ means }) => means === null))("$name", ({ output }) => {
    const read = readAnswer(output);
    expect(read).toEqual({ response: fallbackResponse(output), source: "fallback", fault: read.fault });
    expect(read.fault).not.toBe("");
    expect(isFallback(read.response)).toBe(true);
  });
});

test("SACP-5 the fault says in words what was wrong", () => {
  expect(readAnswer("I cannot.").fault).toBe("the output holds no JSON object");
  expect(readAnswer('{"thought":1,"status":"done","data":[],"next_step_hint":{}}').fault).toBe(
    '"thought" is a number; it must be a text; ' +
      '"status" is another text; it must be one of success, failure, clarification_needed, completed; ' +
      '"data" is a list; it must be an object; "message" is missing; it must be a text; ' +
      '"next_step_hint" is an object; it must be a text, or left out',
  );
  expect(readAnswer('{"status":"failure","status":"success"}').fault).toBe(
    '"status" is there twice; give each member once',
  );
  expect(readAnswer("x".repeat(ANSWER_LIMITS.characters + 1)).fault).toContain("at most 1048576 are read");
});

test("SACP-6 of an output that is too long, as much is kept as a report can carry, and never half a character", () => {
  const { response } = readAnswer("😀".repeat(ANSWER_LIMITS.characters));
  const kept = String(response.data["raw_output"]);
  expect(kept).toHaveLength(ANSWER_LIMITS.rawOutput);
  expect(kept.isWellFormed()).toBe(true);
  expect(readAnswer("a\u0000b\ud800").response.data).toEqual({ raw_output: "a\ufffdb\ufffd" });
});

test("SACP-4 repair gives up on what no model means, and the raw text is kept", () => {
  const marks = `{thought: "t", data: {list: [${"'x' ".repeat(ANSWER_LIMITS.repairSteps)}]}`;
  expect(readAnswer(marks).source).toBe("fallback");
});

test("SACP-3 SACP-5 any text at all gives an answer of the schema that can be stored, and the same one again", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ":",
    ",",
    "\\",
    "```",
    "json",
    "\n",
    " ",
    "status",
    "success",
    "data",
    "1",
    "//",
    "…",
    "\u0000",
    "\ud83d",
  );
  const bent = fc
    .tuple(fc.nat({ max: 120 }), fc.nat({ max: 12 }), fc.string({ unit: pieces, maxLength: 6 }))
    .map(([at, cut, put]) => {
      const text = JSON.stringify(goodAnswer);
      return text.slice(0, at) + put + text.slice(at + cut);
    });
  fc.assert(
    fc.property(fc.oneof(bent, fc.string({ unit: pieces, maxLength: 200 }), fc.string()), (output) => {
      const { response } = readAnswer(output);
      expect(SacpResponseSchema.safeParse(response).success).toBe(true);
      const text = JSON.stringify(response);
      expect(JSON.parse(text)).toEqual(response);
      expect(text.includes(String.raw`\u0000`) || text.includes(String.raw`\ud8`)).toBe(false);
      expect(readAnswer(output)).toEqual(readAnswer(output));
    }),
    { numRuns: 2_000 },
  );
});

test("SACP-3 what is an answer already reads as itself", () => {
  const data = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 });
  const answer = fc.record({
    thought: fc.string(),
    status: fc.constantFrom("success", "failure", "clarification_needed", "completed"),
    data: data.filter((one) => !JSON.stringify(one).includes("__proto__")),
    message: fc.string({ unit: "grapheme" }),
  });
  fc.assert(
    fc.property(answer, (said) => {
      const text = JSON.stringify(said);
      const want = {
        response: JSON.parse(text.replaceAll(String.raw`\u0000`, "\ufffd")),
        source: "json",
        fault: null,
      };
      expect(readAnswer(text)).toEqual(want);
    }),
  );
});

test("SACP-4 no beginning of an answer reads as one with other data", () => {
  const answer = fc.record({
    thought: fc.string(),
    status: fc.constantFrom("success", "failure"),
    data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    message: fc.string(),
    next_step_hint: fc.string(),
    confidence: fc.double({ noNaN: true, noDefaultInfinity: true }),
  });
  const orders = fc.shuffledSubarray(
    ["thought", "status", "data", "message", "next_step_hint", "confidence"] as const,
    { minLength: 6 },
  );
  fc.assert(
    fc.property(answer, orders, fc.constantFrom(0, 2), (said, order, indent) => {
      const text = JSON.stringify(Object.fromEntries(order.map((name) => [name, said[name]])), null, indent);
      const whole = readAnswer(text).response.data;
      for (let end = 1; end < text.length; end += 1) {
        const { source, response } = readAnswer(text.slice(0, end));
        expect(source === "fallback" ? whole : response.data).toEqual(whole);
      }
    }),
    { numRuns: 60 },
  );
});

test.each([
  `{"thought":"","status":"success","message":"","data":{"":"","\\"":{"":{"":"`,
  `{"message":"","status":"success","data":{"":{"":"","\\"":false,":":"`,
])("SACP-4 JSON that is cut off is never read as other data: %s", (text) => {
  expect(readAnswer(text).source).toBe("fallback");
});

test("SACP-4 a megabyte of digits, or of comments that a line separator breaks, is read in one look", () => {
  // A look at each digit from every other takes minutes, and fails by it.
  for (const [head, piece] of [
    ["{", "1"],
    ['{"a":', "1"],
    ['{"a":-1.', "1"],
    ['{"a":x', " //"],
  ] as const) {
    const text = `${head}${piece.repeat(1_000_000 / piece.length)}\u2028"}}`;
    expect(readAnswer(text).source).toBe("fallback");
  }
});

test("SACP-4 what holds too many values is no answer, and what stands between other texts still is", () => {
  const many = Array.from({ length: 50_000 }, () => 1).join(",");
  const good = '{"thought":"t","status":"success","data":{},"message":"m"}';
  const whole = readAnswer(`${good.slice(0, -1)},"x":[${many}]}`);
  expect([whole.source, whole.fault]).toEqual(["fallback", "the answer holds more than 40000 values"]);
  expect(readAnswer(`it saw {tool: ${many}} and then ${good}`).source).toBe("braces");
  expect(readAnswer(`it saw ${many}\n\`\`\`json\n${good}\n\`\`\``).source).toBe("fenced");
});

test("SACP-8 retry_with_instruction is read as a failure with that hint, whatever else the model hints at", () => {
  const said = {
    thought: "t",
    status: "Retry_With_Instruction",
    data: {},
    message: "Cite it.",
    next_step_hint: "x",
  };
  expect(readAnswer(JSON.stringify(said))).toMatchObject({
    fault: null,
    response: { status: "failure", message: "Cite it.", next_step_hint: "retry_with_instruction" },
  });
});

test.each([
  ["12345678901234567890", false],
  ["-9007199254740993", false],
  ["9007199254740993, 'loose'", false],
  ["9007199254740994", true],
  ["100000000000000000000", true],
  ["-29345020348558070", true],
  ["6.02214076e23", true],
  ['"12345678901234567890"', true],
  ["1234567890123456", true],
])("SACP-4 an integer that a double rounds is no data, and the model is told: %s", (written, reads) => {
  const { fault, response } = readAnswer(
    `{"thought":"t","status":"success","data":{"deep":[${written}]},"message":"m"}`,
  );
  expect([response.status, fault?.includes("would be rounded; write it as a text") ?? false]).toEqual(
    reads ? ["success", false] : ["failure", true],
  );
});
