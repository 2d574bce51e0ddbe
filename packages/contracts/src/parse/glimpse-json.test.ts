import { expect, test } from "vitest";
import { glimpseJson } from "./glimpse-json.ts";
import { parseJson } from "./parse-json.ts";

const deep = `{"id":"a","in":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;

test.each([
  ["U+0000", "cannot be stored", String.raw`{"id":"a","text":"\u0000"}`],
  ["a member twice", "stands twice", '{"id":"b","id":"a"}'],
  ["__proto__", "not allowed", '{"id":"a","__proto__":{"id":"c"}}'],
  ["too deep", "nested deeper", deep],
  [
    "half a character",
    "not UTF-8",
    Buffer.concat([Buffer.from('{"id":"a","text":"'), Buffer.from([0xc3]), Buffer.from('"}')]),
  ],
])("what is refused for %s still tells whose it is", (_fault, said, input) => {
  expect(() => parseJson(input)).toThrow(said);
  expect(glimpseJson(input)).toMatchObject({ id: "a" });
});

test("of what is no JSON nothing is seen", () => {
  expect(glimpseJson('{"id":"a"')).toBeUndefined();
});
