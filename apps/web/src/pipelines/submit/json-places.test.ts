import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPlaces, lineOf } from "./json-places.ts";

const text = `{
  "templateId": "implement",
  "contract": {
    "title": "Add \\"x\\"",
    "refs": [
      {"uri": "a"},
      {"uri": "b"}
    ]
  }
}`;

test.each([
  ["templateId", 2],
  ["contract.title", 4],
  ["contract.refs[1].uri", 7],
  ["contract.taskId", 3],
  ["contract.refs[9].uri", 5],
  ["nowhere", 1],
  ["", 1],
])("the fault of %s is shown at line %d", (path, line) => {
  expect(lineOf(jsonPlaces(text), path)).toBe(line);
});

test.each([
  ['{\n  "a": 1,\n}', 3, 1],
  ['{"a" 1}', 1, 6],
  ["[1,\n2", 2, 2],
  ["", 1, 1],
  ["{} x", 1, 4],
  ["[1 2]", 1, 4],
  ['{"a": tru}', 1, 7],
  ["[".repeat(500), 1, 102],
])("%j stops being JSON at line %d, column %d", (broken, line, column) => {
  expect(jsonPlaces(broken).fault).toEqual({ line, column });
});

test("all that is JSON is read to its end, however it is printed", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2), (json, indent) => {
      const printed = JSON.stringify(JSON.parse(json), null, indent);
      expect(jsonPlaces(printed).fault).toBeUndefined();
    }),
  );
});

test("what JSON.parse refuses is refused here too", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'{}[]:,"a1 \n\\-.e'.split("")), maxLength: 12 }),
      (given) => {
        let isJson = true;
        try {
          JSON.parse(given);
        } catch {
          isJson = false;
        }
        expect(jsonPlaces(given).fault === undefined).toBe(isJson);
      },
    ),
  );
});
