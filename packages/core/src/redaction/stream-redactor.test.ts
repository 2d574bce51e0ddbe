import fc from "fast-check";
import { SignalboxError } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "./policy.ts";
import { compileRedactor, redactText, type Redactor } from "./redactor.ts";
import { secretRules } from "./secret-rules.ts";
import { createStreamRedactor, LONGEST_HELD } from "./stream-redactor.ts";
import { assemble, numbersFrom } from "./testing/example-text.ts";

const plain = compileRedactor();
const withPatterns = compileRedactor({
  ...DEFAULT_POLICY,
  patterns: [{ id: "staff-number", pattern: "EMP-\\d{4}" }],
});

function throughStream(redactor: Redactor, chunks: readonly string[]): { text: string; longestHeld: number } {
  const stream = createStreamRedactor(redactor);
  let { start: state } = stream;
  let text = "";
  let longestHeld = 0;
  for (const [index, chunk] of chunks.entries()) {
    const step = stream.push(state, chunk, index === chunks.length - 1);
    ({ state } = step);
    text += step.text;
    longestHeld = Math.max(longestHeld, state.scan.held.length);
  }
  expect(state).toEqual(stream.start);
  return { text, longestHeld };
}

const part = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat({ max: secretRules.length - 1 }), fc.nat(), fc.nat())
      .map(([rule, example, seed]) => {
        const masks = secretRules[rule]?.masks ?? [];
        return assemble(masks[example % masks.length] ?? [], numbersFrom(seed)).text;
      }),
  },
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    " ",
    "\n",
    "EMP-1234",
    "password=",
    '"',
    "\\",
    "[redacted:",
    "[redacted:jwt]",
    "-----END",
    "eyJ",
    "A".repeat(600),
    "https://a:",
    "ordinary words, and more",
  ),
);
const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
/** Cut at random: mostly in few pieces, sometimes into single characters. */
const cuts = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 8, max: 200 }));

const split = (whole: string, sizes: readonly number[]): string[] => {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(whole.slice(at, at + size));
    at += size;
  }
  return chunks.length === 0 ? [""] : chunks;
};

describe.each([
  ["the built-in rules", plain],
  ["a tenant's patterns as well", withPatterns],
])("RED-17 with %s", (_name, redactor) => {
  test("what is given out, joined, is the redaction of the whole text, wherever it was split", () => {
    fc.assert(
      fc.property(text, fc.array(cuts, { minLength: 1, maxLength: 5 }), (whole, sizes) => {
        expect(throughStream(redactor, split(whole, sizes)).text).toBe(redactText(redactor, whole).text);
      }),
      { numRuns: 1500 },
    );
  });
});

test("RED-18 no more is held back than the longest look ahead", () => {
  fc.assert(
    fc.property(text, cuts, (whole, size) => {
      expect(throughStream(plain, split(whole, [size])).longestHeld).toBeLessThanOrEqual(LONGEST_HELD);
    }),
    { numRuns: 300 },
  );
});

test("RED-18 ordinary words are given out at once", () => {
  const stream = createStreamRedactor(plain);
  expect(stream.push(stream.start, "I look at the second stage. ", false).text).toBe(
    "I look at the second stage. ",
  );
  const begun = stream.push(stream.start, "now gh", false);
  expect(begun.text).toBe("now ");
  expect(stream.push(begun.state, "astly view.", false).text).toBe("ghastly view.");
});

test("RED-18 a secret of any length is swallowed, not held", () => {
  const stream = createStreamRedactor(plain);
  const opened = stream.push(stream.start, `-----BEGIN PRIVATE KEY-----\n${"0".repeat(50_000)}`, false);
  expect(opened.text).toBe("");
  expect(opened.state.scan.held).toBe("");
  expect(stream.push(opened.state, "\n-----END PRIVATE KEY-----\nafter", true).text).toBe(
    "[redacted:private-key]\nafter",
  );
});

test("RED-19 a state is never changed: the same step can be taken twice", () => {
  const stream = createStreamRedactor(plain);
  const first = stream.push(stream.start, "password='abc", false);
  const copy = structuredClone(first.state);
  expect(stream.push(first.state, "def' x", true)).toEqual(stream.push(first.state, "def' x", true));
  expect(first.state).toEqual(copy);
});

test("RED-20 lines come out as lines, each marked, with a key masked over all its lines", () => {
  const stream = createStreamRedactor(plain);
  const lines = [
    "$ cat key.pem",
    "-----BEGIN RSA PRIVATE KEY-----",
    "MIIEow",
    "-----END RSA PRIVATE KEY-----",
    "PASSWORD=hunter22",
    "done",
  ];
  let { start: state } = stream;
  const out = lines.map((line) => {
    const step = stream.pushLine(state, line);
    ({ state } = step);
    return [step.text, step.masked];
  });
  expect(out).toEqual([
    ["$ cat key.pem", false],
    ["[redacted:private-key]", true],
    ["[redacted:private-key]", true],
    ["[redacted:private-key]", true],
    ["PASSWORD=[redacted:credential-assignment]", true],
    ["done", false],
  ]);
});

test("RED-20 every line is given out when it comes, whatever it holds", () => {
  const stream = createStreamRedactor(plain);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (lines) => {
      let { start: state } = stream;
      for (const line of lines.flatMap((several) => several.split("\n"))) {
        const step = stream.pushLine(state, line);
        ({ state } = step);
        expect(step.text.includes("\n")).toBe(false);
        expect(state.scan.held).toBe("");
      }
    }),
    { numRuns: 300 },
  );
});

test("RED-13 a chunk or a line over its limit is refused and not passed", () => {
  const stream = createStreamRedactor(withPatterns);
  for (const chunk of ["x".repeat(70_000), "x".repeat(17 * 1024 * 1024)])
    expect(() => stream.push(stream.start, chunk, false)).toThrow(SignalboxError);
});
