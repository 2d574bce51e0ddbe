import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { assertTenantId } from "./tenant-id.ts";

const refusal = (text: string): string => {
  try {
    assertTenantId(text);
    return "";
  } catch (error) {
    return String(error);
  }
};

test("what is let through has 1 to 128 plain characters, the rest is told what is allowed", () => {
  assert(
    property(string({ maxLength: 140 }), (text) =>
      /^[A-Za-z0-9][\w.-]{0,127}$/.test(text)
        ? refusal(text) === ""
        : refusal(text).includes("Allowed: 1 to 128 letters"),
    ),
  );
});

test.each(["default", "a", "A.b_c-9", "9".repeat(128)])("%s is allowed", (text) => {
  expect(() => assertTenantId(text)).not.toThrow();
});
