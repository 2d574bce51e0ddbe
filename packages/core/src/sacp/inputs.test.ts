import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileInputs, fillInputs, type StageValues } from "./inputs.ts";

const stages = new Map<string, StageValues>([
  [
    "research",
    {
      status: "success",
      data: { names: ["Ann", "Ben"], score: 0.9, n: 3, ok: true, none: null, of: { a: 1 } },
      message: "Found two",
    },
  ],
  ["qa-review", { status: "success", data: { "odd key": "x", list: [{ id: 7 }] }, message: "Fine" }],
  ["in", { status: "success", data: { a: 1 }, message: "" }],
  ["left-out", { status: "skipped", data: {} }],
]);
const compile = (inputs: Parameters<typeof compileInputs>[0]) => compileInputs(inputs, [...stages.keys()]);
const fill = (inputs: Parameters<typeof compileInputs>[0]) => {
  const { compiled, faults } = compile(inputs);
  expect(faults).toEqual([]);
  return fillInputs(compiled, stages);
};

describe("SACP-31 (D11) a string that is one placeholder keeps the value's type", () => {
  test.each([
    ["{{research.data.names}}", ["Ann", "Ben"]],
    ["{{ research.data.names[1] }}", "Ben"],
    ["{{research.data.score}}", 0.9],
    ["{{research.data.ok}}", true],
    ["{{research.data.none}}", null],
    ["{{research.data.of}}", { a: 1 }],
    ["{{research.message}}", "Found two"],
    ["{{size(research.data.names)}}", 2],
    ["{{qa-review.message}}", "Fine"],
    ["{{qa-review.data['odd key']}}", "x"],
    ["{{qa-review.data.list[0].id}}", 7],
    ["{{in.data.a}}", 1],
    ["{{has(research.data.x) ? research.data.x : 'none'}}", "none"],
    ["{{research.data.names.map(name, name + '!')}}", ["Ann!", "Ben!"]],
  ])("%s", (text, value) => {
    expect(fill({ value: text })).toEqual({ kind: "filled", inputs: { value } });
  });
});

test("SACP-31 beside other text it becomes text, however deep it stands", () => {
  const inputs = {
    plain: 3,
    deep: {
      list: [
        "{{research.data.n}} of {{research.data.names}}",
        "no placeholder",
        { x: "{{research.data.ok}}!" },
      ],
    },
  };
  expect(fill(inputs)).toEqual({
    kind: "filled",
    inputs: { plain: 3, deep: { list: ['3 of ["Ann","Ben"]', "no placeholder", { x: "true!" }] } },
  });
});

describe("SACP-32 (D11) a value that is missing is told by its placeholder, and nothing is half filled", () => {
  test.each([
    ["{{research.data.emails}}", "No such key: emails"],
    ["To {{research.data.emails}}", "No such key: emails"],
    ["{{research.data.of.b.c}}", "No such key: b"],
    ["{{left-out.message}}", "No such key: message"],
    ["{{left-out.data.x}}", "No such key: x"],
  ])("%s", (text, why) => {
    const placeholder = text.slice(text.indexOf("{{"));
    expect(fill({ good: "{{research.message}}", bad: [text] })).toEqual({
      kind: "unfilled",
      placeholder,
      problem: why,
    });
  });

  test("null makes no text, and inputs without measure are not sent", () => {
    expect(fill({ bad: "a {{research.data.none}}" })).toMatchObject({
      kind: "unfilled",
      placeholder: "{{research.data.none}}",
    });
    const big = new Map([["research", { status: "success", data: { text: "x".repeat(100_000) } }]]);
    const { compiled } = compile({ list: Array.from({ length: 3 }, () => "{{research.data.text}}") });
    expect(fillInputs(compiled, big)).toMatchObject({ kind: "unfilled", placeholder: "inputs" });
  });
});

test("SACP-30 what cannot be filled ever is refused, with where it stands and what there is", () => {
  const { faults } = compile({
    a: "{{reserch.data.x}}",
    b: ["fine", "{{research.thought}}", "{{research.data.x"],
    c: { d: "{{}} and more", e: "{{research.message + 1}}" },
  });
  expect(faults.map(({ path, placeholder, message }) => [path.join("."), placeholder, message])).toEqual([
    [
      "a",
      "{{reserch.data.x}}",
      '"reserch" is no stage that comes before this one. Did you mean research? Allowed: research, qa-review, in, left-out',
    ],
    ["b.1", "{{research.thought}}", "No such key: thought"],
    ["b.2", "{{research.data.x", "is opened by {{ and never closed by }}"],
    ["c.d", "{{}}", "Unexpected token: EOF"],
    ["c.e", "{{research.message + 1}}", "no such overload: string + int"],
  ]);
  expect(compileInputs({ a: "{{b.message}}" }, []).faults[0]?.message).toContain(
    "no stage comes before this one",
  );
});

test("SACP-31 inputs without placeholders are what the template says", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (said) => {
      const inputs = JSON.parse(JSON.stringify(said).replaceAll(/\{(?=\{)/g, "{ ")) as Parameters<
        typeof compileInputs
      >[0];
      fc.pre(!JSON.stringify(inputs).includes("__proto__"));
      expect(fill(inputs)).toEqual({ kind: "filled", inputs });
    }),
  );
});
