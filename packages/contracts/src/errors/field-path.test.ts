import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatFieldPath } from "./field-path.ts";

test.each([
  [[], ""],
  [["pack_id"], "pack_id"],
  [["refs", 0, "uri_or_locator"], "refs[0].uri_or_locator"],
  [[0, "a"], "[0].a"],
  [["pressure", "two words"], 'pressure["two words"]'],
  [["data", ""], 'data[""]'],
  [["data", 'a"].b'], 'data["a\\"].b"]'],
  [["data", "0"], 'data["0"]'],
])("%j is written %s", (path, text) => {
  expect(formatFieldPath(path)).toBe(text);
});

test("property: two short paths are written alike only if they are alike", () => {
  const paths = fc.array(fc.oneof(fc.nat(20), fc.string({ maxLength: 8 })), { maxLength: 5 });
  fc.assert(
    fc.property(paths, paths, (one, other) => {
      expect(formatFieldPath(one) === formatFieldPath(other)).toBe(
        JSON.stringify(one) === JSON.stringify(other),
      );
    }),
  );
});

test("property: a name from outside cannot make the path long or ill-formed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (name) => {
      const text = formatFieldPath([name.repeat(10)]);
      expect(text.length).toBeLessThan(64 * 6 + 10);
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});
