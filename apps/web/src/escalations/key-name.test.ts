import { expect, test } from "vitest";
import { keyInWords } from "./key-name.ts";

test("a key is called by its label, whatever stands in it; nothing else is taken for one", () => {
  const id = "0190b3a8-8f0f-7bbb-8888-0123456789ab";
  expect(keyInWords(`key/nightly/${id}`)).toBe("key nightly");
  expect(keyInWords(`key/ci/deploy/${id}`)).toBe("key ci/deploy");
  expect(keyInWords(id)).toBeUndefined();
  expect(keyInWords("orchestrator")).toBeUndefined();
});
