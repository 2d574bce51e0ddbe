import { expect, test } from "vitest";
import { alertInWords } from "./alert-words.ts";

test("an alert is said in words, one that is not known by its own name", () => {
  expect(alertInWords("redaction-blocked")).toBe("Something could not be masked, and was not written");
  expect(alertInWords("breaker-open")).toBe("A pack keeps failing");
  expect(alertInWords("disk-nearly-full")).toBe("disk nearly full");
  expect(alertInWords("constructor")).toBe("constructor");
});
