import { expect, test } from "vitest";
import { sizeInWords } from "./size.ts";

test.each([
  [0, "less than 1 kB"],
  [999, "less than 1 kB"],
  [1000, "1 kB"],
  [49_600, "50 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [2_000_000, "2 MB"],
])("%d bytes are %s", (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});
