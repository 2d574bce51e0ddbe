import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DOCUMENT_LIMITS, readDocumentText } from "./document-text.ts";

const valueOf = (text: string) => {
  const source = readDocumentText(text);
  return source.kind === "read" ? source.document.value : source.faults;
};
const rulesOf = (text: string) => {
  const source = readDocumentText(text);
  return source.kind === "refused" ? [...new Set(source.faults.map((fault) => fault.rule))] : [];
};

test("DOC-2: JSON reads as the same values, with tabs, escapes and no spaces", () => {
  expect(valueOf('{"a":1,\n\t"b":["\\ud83d\\ude00","\\/"],"c":{"d":null,"e":true}}')).toEqual({
    a: 1,
    b: ["😀", "/"],
    c: { d: null, e: true },
  });
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), (value) => {
      fc.pre(!JSON.stringify(value).includes("__proto__") && !JSON.stringify(value).includes('"<<"'));
      expect(valueOf(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("DOC-10: an alias means what its anchor stands for", () => {
  expect(valueOf("a: &retry { max: 2 }\nb: *retry\n")).toEqual({ a: { max: 2 }, b: { max: 2 } });
});

test("DOC-10: using an alias does not bring back an anchor that was set anew since", () => {
  expect(valueOf("a: &x { k: &y 1 }\nb: &y 2\nc: *x\nd: *y\n")).toEqual({
    a: { k: 1 },
    b: 2,
    c: { k: 1 },
    d: 2,
  });
});

test("DOC-10: the place of a value that came by an alias is where it is written", () => {
  const source = readDocumentText("a: &retry\n  max: 2\nb: *retry\n");
  expect(source.kind === "read" && source.document.place(["b", "max"], "value")).toEqual({
    line: 2,
    column: 8,
  });
});

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("DOC-11: what makes a text mean more than it shows is refused", () => {
  const billion = `a: &a [${"x,".repeat(10)}]\n${["b", "c", "d", "e"]
    .map((key, index) => `${key}: &${key} [${`*${"abcd"[index]},`.repeat(10)}]`)
    .join("\n")}`;
  test.each([
    ["a bomb of aliases", billion, ["size"]],
    ["an alias of itself", "a: &a [*a]", ["depth"]],
    ["an alias before its anchor", "a: *b\nb: &b 1", ["syntax"]],
    ["too many characters", "x".repeat(DOCUMENT_LIMITS.characters + 1), ["size"]],
    ["too many values", "- 1\n".repeat(DOCUMENT_LIMITS.values + 1), ["size"]],
    ["too many lexemes", "[".concat(",".repeat(DOCUMENT_LIMITS.lexemes)), ["size"]],
    ["deep flow", "[".repeat(100_000), ["depth"]],
    ["deep lists", "- ".repeat(100_000), ["depth"]],
    ["a key twice", "a: 1\nb: 2\na: 3", ["duplicate_key"]],
    ["a key twice in JSON", '{"a": 1, "a": 2}', ["duplicate_key"]],
    ["a custom tag", "a: !secret x", ["syntax"]],
    ["a tag of a language", "a: !!js/function x", ["syntax"]],
    ["a merge key", "a: {<<: {b: 1}}", ["key"]],
    ["a prototype", "__proto__: {a: 1}", ["key"]],
    ["a key that is no name", "1: a", ["key"]],
    ["a mapping as a key", "{a: 1}: b", ["key"]],
    ["two documents", "a: 1\n---\na: 2", ["syntax"]],
    ["the YAML of before", "%YAML 1.1\n---\na: yes", ["syntax"]],
    ["an open quote", "a: 'x", ["syntax"]],
    ["a tab as indentation", "a:\n\tb: 1", ["syntax"]],
  ])("%s", (_, text, rules) => {
    expect(rulesOf(text)).toEqual(rules);
  });

  test("32 levels are read, 33 are not", () => {
    expect(rulesOf(nested(DOCUMENT_LIMITS.depth))).toEqual([]);
    expect(rulesOf(nested(DOCUMENT_LIMITS.depth + 2))).toEqual(["depth"]);
  });

  test("any text is read or refused with at most a hundred faults, each with a place in it", () => {
    const piece = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "[",
      "]",
      "{",
      "}",
      '"',
      "'",
      "&a ",
      "*a",
      "!t ",
      "|",
      ">",
      "#",
      ",",
      "\t",
      "?",
      "%",
      "---\n",
      "0",
      "\u0000",
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const source = readDocumentText(text);
        const faults = source.kind === "refused" ? source.faults : [];
        expect(source.kind === "refused").toBe(faults.length > 0);
        expect(faults.length).toBeLessThanOrEqual(100);
        for (const { line, column } of faults) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(text.split("\n").length);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test("DOC-4: faults of one text come in its order", () => {
  const source = readDocumentText("a: 1\nb: !x 2\nb: 'y'\nc: !z 3\n");
  expect(source.kind === "refused" && source.faults.map((fault) => fault.line)).toEqual([2, 4]);
});
