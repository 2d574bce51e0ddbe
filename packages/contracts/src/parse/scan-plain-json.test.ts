import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test/outcome.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { scanJson } from "./scan-json.ts";
import { scanPlainJson } from "./scan-plain-json.ts";

const bounds = { ...DEFAULT_LIMITS, maxDepth: 5, maxValues: 40 };
const scanPlain = (text: string, limits = bounds) =>
  scanPlainJson(text, new TextEncoder().encode(text), limits, "events");

const name = fc.constantFrom("a", "b", "type", "line", "", "events", "long ".repeat(20));
const word = fc.oneof(name, fc.constant("\u001b[31mred\n"));
const ofNames = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, place) => [`n${place}`, 1])));
const number = fc.oneof(fc.nat(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    word,
    number,
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));
const batch = fc.array(value, { maxLength: 6 }).map((events) => ({ events }));

/** What a sender may write that a printer does not, or that is refused. */
const oddity = fc.constantFrom(
  '"a":1,',
  '"__proto__":1,',
  '"\\u0061":1,',
  '"a\\n":1,',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u001b[31m"',
  '"events":[1],',
  ...'\\" \n\u0001é{}[],:-t'.split(""),
  "[[[[",
  "1e5",
  "-0",
  "0.10",
  "01",
  "9007199254740993",
  "1e400",
);
const altered = fc
  .tuple(
    fc.oneof(batch, value).map((one) => JSON.stringify(one)),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), oddity), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((before, [place, length, put]) => {
      const at = place % (before.length + 1);
      return before.slice(0, at) + put + before.slice(at + length);
    }, text),
  );

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("scanPlainJson", () => {
  test("of any JSON, gives what scanJson gives, or leaves it to that", () => {
    let given = 0;
    fc.assert(
      fc.property(altered, (text) => {
        const plain = scanPlain(text);
        if (plain === undefined || !isJson(text)) return;
        given += 1;
        expect(scanJson(text, bounds, { listed: "events" })).toEqual(plain.texts);
      }),
      { numRuns: 5_000 },
    );
    expect(given).toBeGreaterThan(1_000);
  });

  test("of what is not JSON, ends", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\u0-1etfn '.split("")) }), (text) => {
        scanPlain(text);
      }),
      { numRuns: 5_000 },
    );
  });

  test("leaves nothing to scanJson that a program prints in ASCII, with a few plain names in each object", () => {
    fc.assert(
      fc.property(fc.oneof(batch, value), (one) => {
        const text = JSON.stringify(one);
        const whole = { ...bounds, maxValues: 10_000, maxDepth: 32 };
        const isLeft = scanPlain(text, whole) === undefined;
        expect(isLeft && refusalOf(() => scanJson(text, whole)) === undefined).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("leaves to scanJson an object of more names than it looks through one by one", () => {
    expect([ofNames(32), ofNames(33)].map((text) => scanPlain(text))).toEqual([{ texts: [] }, undefined]);
  });

  test.each([
    ['{"events":[{"a":"x\\ny"}]}', { texts: undefined }],
    ['{"events":[{"a":"\\u001b[31mred"}]}', { texts: undefined }],
    ['[{"events":1},[2]]', { texts: [] }],
    ['{"events":[{"a":1},[2],"3"],"more":[4]}', { texts: ['{"a":1}', "[2]", '"3"'] }],
    ['{"more":{"events":[1]},"events":[]}', { texts: [] }],
    [`{"events":["${"x".repeat(500)}"]}`, { texts: [`"${"x".repeat(500)}"`] }],
  ])("gives of %s what stands in the list", (text, plain) => {
    expect(scanPlain(text)).toEqual(plain);
    expect(scanJson(text, bounds, { listed: "events" })).toEqual(plain.texts);
  });
});
