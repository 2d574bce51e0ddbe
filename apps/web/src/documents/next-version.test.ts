import { expect, test } from "vitest";
import { nextVersion } from "./next-version.ts";

test.each([
  [[], "1.0.0"],
  [["1.0.0"], "1.1.0"],
  [["1.9.3", "1.10.0", "1.2.0"], "1.11.0"],
  [["2.0.0-rc.1", "1.8.0"], "2.1.0"],
  [["what"], "1.0.0"],
])("after %j comes %s", (versions, next) => {
  expect(nextVersion(versions)).toBe(next);
});
