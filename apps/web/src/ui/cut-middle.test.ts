import { expect, test } from "vitest";
import { cutMiddle } from "./cut-middle.ts";

test("what is short stays, what is long keeps both ends and the length asked for", () => {
  expect(cutMiddle("abc", 3)).toBe("abc");
  expect(cutMiddle("abcdefgh", 5)).toBe("ab…gh");
  expect(cutMiddle("abcdefgh", 6)).toHaveLength(6);
});
