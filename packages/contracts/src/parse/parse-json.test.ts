import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeOf, refusalOf } from "../../test/outcome.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { parseJson, parseJsonAndTexts } from "./parse-json.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What parseJson says against a text, alike as a string and as bytes; undefined where it reads it. */
function refusal(text: string, limits: Partial<Limits> = {}): readonly string[] | undefined {
  const answer = refusalOf(() => parseJson(text, limits));
  expect(refusalOf(() => parseJson(encode(text), limits))).toEqual(answer);
  return answer;
}

test.each([
  ["null", null],
  [
    ' \t\r\n{"a" : [ 1 , -0.5e-2 , true, false, null ] , "b":{}, "c":[] } ',
    { a: [1, -0.005, true, false, null], b: {}, c: [] },
  ],
  [String.raw`"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00"`, '"\\/\b\f\n\r\tA😀'],
  [
    '{"constructor":{"prototype":{"polluted":true}},"toString":1}',
    { constructor: { prototype: { polluted: true } }, toString: 1 },
  ],
  ["[9007199254740991,-9007199254740991,1e300,0.1]", [9007199254740991, -9007199254740991, 1e300, 0.1]],
  ['{"":{"a":1},"b":{"a":1}}', { "": { a: 1 }, b: { a: 1 } }],
  ['"__proto__"', "__proto__"],
])("reads %s", (text, value) => {
  expect(parseJson(text)).toEqual(value);
  expect(parseJson(encode(text))).toEqual(value);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe("refuses what is not JSON", () => {
  test.each([
    ["", ""],
    [" ", ""],
    ["nul", ""],
    ["nulll", ""],
    ["NaN", ""],
    ["-Infinity", ""],
    ["undefined", ""],
    ["'a'", ""],
    ["[1]]", ""],
    ["{} {}", ""],
    ["[1,]", "[1]"],
    ["[1 2]", "[0]"],
    ["[,1]", "[0]"],
    ['{"a":1,}', "a"],
    ['{"a" 1}', "a"],
    ['{"a":{"b":}}', "a.b"],
    ['{"a":[0,{"b":tru}]}', "a[1].b"],
    ["{a:1}", ""],
    ['{"a":1', "a"],
    ['{"a":[1', "a[0]"],
    ['{"a":[1}', "a[0]"],
    ['{"a":"x', "a"],
    ['"\\', ""],
    [String.raw`"\x41"`, ""],
    [String.raw`"\u00g0"`, ""],
    ['{"a":"line\nbreak"}', "a"],
    ['{"a":1,"b\t":2}', "a"],
    ['{"a":1,"\\u0062\t":2}', "a"],
    ["[01]", "[0]"],
    ["[+1]", "[0]"],
    ["[.5]", "[0]"],
    ["[1.]", "[0]"],
    ["[1e]", "[0]"],
    ["[0x10]", "[0]"],
    ["\u{feff}{}", ""],
    ["[1] // why", ""],
  ])("%j at %j", (text, field) => {
    expect(refusal(text)).toEqual(["MALFORMED_BODY", `${field}: json.syntax`]);
  });
});

describe("refuses what JSON.parse lets through", () => {
  test.each([
    ['{"a":1,"a":2}', "a", "json.duplicate"],
    ['{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}', "a.b[1].c", "json.duplicate"],
    [String.raw`{"a":1,"\u0061":2}`, "a", "json.duplicate"],
    ['{"__proto__":{"admin":true}}', "__proto__", "json.name"],
    [String.raw`{"a":{"\u005f_proto__":1}}`, "a.__proto__", "json.name"],
    [String.raw`{"a":"\ud800"}`, "a", "text.unicode"],
    [String.raw`{"a":"\ud83dx"}`, "a", "text.unicode"],
    [String.raw`{"a":"\ud83d\n"}`, "a", "text.unicode"],
    [String.raw`["\ude00\ud83d"]`, "[0]", "text.unicode"],
    [String.raw`{"a":["x\u0000y"]}`, "a[0]", "text.nul"],
    ['{"a":1e999}', "a", "number.range"],
    ['{"a":-1.5E+400}', "a", "number.range"],
    ['{"a":9007199254740992}', "a", "number.precision"],
    ['{"a":[-12345678901234567890]}', "a[0]", "number.precision"],
    [`[${"9".repeat(400)}]`, "[0]", "number.precision"],
  ])("%s at %s: %s", (text, field, rule) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(refusal(text)).toEqual(["MALFORMED_BODY", `${field}: ${rule}`]);
  });

  test("text that is not Unicode", () => {
    for (const bytes of [
      [0xff],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xf0, 0x9f, 0x98],
    ]) {
      expect(() => parseJson(Uint8Array.from(bytes))).toThrow(
        expect.objectContaining({
          code: "MALFORMED_BODY",
          violations: [expect.objectContaining({ rule: "text.unicode" })],
        }),
      );
    }
    expect(() => parseJson('"\ud800"')).toThrow(expect.objectContaining({ code: "MALFORMED_BODY" }));
  });
});

describe("limits", () => {
  test("50 MB are refused by their size alone", () => {
    const body = new Uint8Array(50 * 1024 * 1024).fill(0x5b);
    expect(() => parseJson(body)).toThrow(
      expect.objectContaining({
        code: "PAYLOAD_TOO_LARGE",
        violations: [
          { field: "", rule: "limit.bytes", message: "has 52428800 bytes; at most 4194304 are allowed" },
        ],
      }),
    );
  });

  test.each(["[", '{"a":', '[{"a":'])("a hundred thousand times %s stops at the depth allowed", (opening) => {
    const [code, violation] = refusal(opening.repeat(100_000)) ?? [];
    expect(code).toBe("PAYLOAD_TOO_LARGE");
    expect(violation).toMatch(/: limit\.depth$/);
    expect(violation?.match(/\[0\]|a/g)).toHaveLength(DEFAULT_LIMITS.maxDepth);
  });

  test("a depth that is allowed is read", () => {
    const nested = `${"[".repeat(32)}1${"]".repeat(32)}`;
    expect(parseJson(nested)).toEqual(JSON.parse(nested));
    expect(refusal(`[${nested}]`)).toContain(`${"[0]".repeat(32)}: limit.depth`);
    expect(refusal(`[${nested}]`, { maxDepth: 33 })).toBeUndefined();
  });

  test.each([String.raw`\n`, String.raw`\"`, "a", String.raw`\u0041`])(
    "a string of 4 MB of %s is read",
    (piece) => {
      const text = `"${piece.repeat(4_000_000 / piece.length)}"`;
      expect(parseJson(text)).toBe(JSON.parse(text));
      expect(refusal(text.slice(0, -1))).toEqual(["MALFORMED_BODY", ": json.syntax"]);
    },
  );

  test("a million keys stop at the count allowed, wherever they stand", () => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join();
    expect(refusal(`{${keys}}`)).toEqual(["PAYLOAD_TOO_LARGE", ": limit.bytes"]);
    expect(refusal(`{${keys}}`, { maxBytes: 2 ** 24 })).toEqual([
      "PAYLOAD_TOO_LARGE",
      "k50000: limit.values",
    ]);
    expect(refusal(`[${"{},".repeat(999_999)}{}]`)).toEqual(["PAYLOAD_TOO_LARGE", "[50000]: limit.values"]);
    expect(refusal('{"a":[1,{"b":2}]}', { maxValues: 3 })).toEqual([
      "PAYLOAD_TOO_LARGE",
      "a[1].b: limit.values",
    ]);
    expect(refusal('{"a":[1,{"b":2}]}', { maxValues: 4 })).toBeUndefined();
  });
});

const textsIn = (text: string) => parseJsonAndTexts(text, "list").texts;
describe("the texts of a list's elements", () => {
  test.each([
    ['{"list":[{"a":[1,{"b":2}]},"x",null,[[]],-0.5]}', ['{"a":[1,{"b":2}]}', '"x"', "null", "[[]]", "-0.5"]],
    ['{"before":[1],"list":[2,[3]],"after":{"list":[4]}}', ["2", "[3]"]],
    ['{"inner":{"list":[1]},"list":[]}', []],
    ['{"list":{"list":[1]}}', []],
    ['{"other":[1]}', []],
    ['[{"list":[1]}]', []],
    ['{"list":["😀","€"]}', ['"😀"', '"€"']],
  ])("of %s", (text, texts) => expect(textsIn(text)).toEqual(texts));

  test.each([
    ['{"list": [1]}'],
    ['{"list":[1]}\n'],
    ['{"list":[1,\t2]}'],
    ['{"list":[{"a" :1}]}'],
    [String.raw`{"list":["\u0041"]}`],
    [String.raw`{"list":[1],"other":"\n"}`],
    ['{"list":[1.0]}'],
    ['{"list":[1e3]}'],
    ['{"list":[-0]}'],
    ['{"list":[0.10000000000000000555]}'],
  ])("are none where it is not printed so: %s", (text) => expect(textsIn(text)).toBeUndefined());

  test("are those of no list where none is asked for", () =>
    expect(parseJsonAndTexts('{"list":[1]}', undefined)).toEqual({ value: { list: [1] }, texts: [] }));
});

const lettersOf = (text: string): string => text.split("").toSorted().join("");
describe("property", () => {
  test("however JSON is written, there are texts only where printing gives the same, but for the order of names", () => {
    const written = fc.letrec<{ one: string }>((tie) => ({
      one: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom(
          "0",
          "-0",
          "1.0",
          "1.5",
          "1E2",
          "1e+30",
          "1e300",
          "12345678901234567",
          "0.10000000000000000555",
          "null",
        ),
        fc.constantFrom(
          '"a"',
          '"é"',
          '"😀"',
          '"\u2028"',
          '"\u007f"',
          String.raw`"\u0041"`,
          String.raw`"\/"`,
          String.raw`"\n"`,
        ),
        fc.tuple(fc.constantFrom("", " ", "\n"), tie("one")).map(([space, one]) => `[${one},${space}${one}]`),
        fc
          .tuple(fc.constantFrom(":", " :", ":\t"), tie("one"))
          .map(([colon, one]) => `{"b"${colon}${one},"1":${one}}`),
      ),
    })).one;
    fc.assert(
      fc.property(fc.array(written, { maxLength: 4 }), fc.constantFrom("", " "), (list, space) => {
        const text = `{"list":[${list.join(",")}]${space}}`;
        fc.pre(refusal(text) === undefined);
        const { value, texts } = parseJsonAndTexts(text, "list");
        const elements: unknown[] = Reflect.get(Object(value), "list");
        if (texts === undefined) return;
        expect(texts).toHaveLength(elements.length);
        for (const [place, one] of texts.entries()) {
          expect(JSON.parse(one)).toEqual(elements[place]);
          expect(lettersOf(one)).toBe(lettersOf(JSON.stringify(elements[place])));
        }
      }),
    );
  });

  test("the texts of a list's elements are what JSON.stringify prints of them", () => {
    const one = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
    fc.assert(
      fc.property(fc.array(one), one, one, (list, before, after) => {
        const text = JSON.stringify({ before, list, after });
        fc.pre(refusal(text) === undefined);
        const { value, texts } = parseJsonAndTexts(encode(text), "list");
        expect(value).toEqual(JSON.parse(text));
        // A letter that is escaped is printed so; the text is none to rely on then.
        expect(texts).toEqual(
          text.includes("\\") ? undefined : list.map((element) => JSON.stringify(element)),
        );
      }),
    );
  });

  test("JSON is read as JSON.parse reads it, whatever the spacing", () => {
    // Duplicates cannot come out of an object; -0 is written "0"; what is refused on purpose is left out.
    const values = fc.jsonValue({ maxDepth: 6, stringUnit: "grapheme" }).filter((value) => {
      const text = JSON.stringify(value);
      return !/\\u0000|"__proto__":/.test(text) && !/[^.eE\d]\d{16,}[^.eE\d]/.test(` ${text} `);
    });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2, "\t"), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(refusal(text)).toBeUndefined();
      }),
    );
  });

  test("what JSON.parse refuses is refused, by text or by its place", () => {
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      '"',
      ",",
      ":",
      "\\",
      "u0e0e",
      "-",
      "1",
      ".5",
      " ",
      "\n",
      "\u0001",
      "é",
      "true",
    ];
    const near = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
    fc.assert(
      fc.property(near, (text) => {
        const [code] = refusal(text) ?? [];
        // None of the pieces makes a number too large, a lone surrogate or U+0000; a name may still stand twice.
        const twice = refusal(text)?.some((violation) => violation.endsWith("json.duplicate")) === true;
        expect(code).toBe(isJson(text) && !twice ? undefined : "MALFORMED_BODY");
      }),
      { numRuns: 3000 },
    );
  });

  test("bytes are read or refused with a place", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const outcome = outcomeOf(() => parseJson(bytes));
        const read = "value" in outcome;
        expect(read || (outcome.code === "MALFORMED_BODY" && outcome.violations.length === 1)).toBe(true);
      }),
    );
  });

  test("a text cut short anywhere is refused", () => {
    const text = String.raw`{"a":[1.5e3,true,{"\u0041":"\ud83d\ude00x"}],"b":null}`;
    for (let length = 0; length < text.length; length++) {
      expect(refusal(text.slice(0, length))).toContain("MALFORMED_BODY");
    }
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
