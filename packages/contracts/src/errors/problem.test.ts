import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ERROR_CODES, isErrorCode } from "./error-codes.ts";
import { toProblem } from "./problem.ts";
import { SignalboxError, toSignalboxError } from "./signalbox-error.ts";

const context = { requestId: "r-1" };

describe("toProblem", () => {
  test("is RFC 9457 with code, violations and request id", () => {
    const violation = { field: "pack_id", rule: "string.min_len", message: "must not be empty" };
    const error = new SignalboxError("VALIDATION_FAILED", "The manifest has a fault", {
      violations: [violation],
    });
    expect(toProblem(error, context)).toEqual({
      type: "urn:signalbox:problem:validation-failed",
      title: "The content breaks a rule",
      status: 422,
      code: "VALIDATION_FAILED",
      detail: "The manifest has a fault",
      violations: [violation],
      requestId: "r-1",
    });
  });

  test("has one type for each code", () => {
    const types = Object.keys(ERROR_CODES)
      .filter(isErrorCode)
      .map((code) => toProblem(new SignalboxError(code, "x"), context).type);
    expect(new Set(types).size).toBe(Object.keys(ERROR_CODES).length);
    for (const type of types) expect(new URL(type).protocol).toBe("urn:");
  });

  test("a 500 says nothing of what failed, even where the error does", () => {
    const error = new SignalboxError("INTERNAL", "password=hunter2", {
      violations: [{ field: "secret", rule: "x", message: "y" }],
      cause: new Error("at /srv/db.ts"),
    });
    const problem = toProblem(error, context);
    expect(JSON.stringify(problem)).not.toMatch(/hunter2|secret|srv/);
    expect(problem).toMatchObject({ status: 500, code: "INTERNAL", violations: [] });
  });

  test("property: whatever is thrown is answered, and what is not ours is not shown", () => {
    const marker = "inside-7f3a";
    const thrown = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }),
      fc.string().map((text) => new Error(`${marker} ${text}`)),
      fc.string().map((text) => `${marker} ${text}`),
      fc
        .string()
        .map((text) =>
          Object.assign(new TypeError(marker), { detail: text, code: "NOT_FOUND", statusCode: 404 }),
        ),
    );
    fc.assert(
      fc.property(thrown, (value) => {
        const problem = toProblem(value, context);
        expect(problem).toMatchObject({ status: 500, code: "INTERNAL", requestId: "r-1" });
        expect(JSON.stringify(problem)).not.toContain(marker);
      }),
    );
  });
});

test.each([
  ["conversion", { toString: () => fail(), [Symbol.toPrimitive]: () => fail() }],
  ["every question", new Proxy({}, { get: fail, getPrototypeOf: fail, has: fail, ownKeys: fail })],
])("a value that throws at %s is answered too", (_, value) => {
  expect(toProblem(value, context).code).toBe("INTERNAL");
});

describe("toSignalboxError", () => {
  test("leaves ours as it is and keeps the other as the cause", () => {
    const ours = new SignalboxError("NOT_FOUND", "There is no pack p");
    const other = new RangeError("index");
    expect(toSignalboxError(ours)).toBe(ours);
    expect(toSignalboxError(other)).toMatchObject({ code: "INTERNAL", cause: other });
    expect(toSignalboxError(undefined)).toMatchObject({ code: "INTERNAL", cause: undefined });
  });

  test("an error carries at most a hundred violations", () => {
    const violations = Array.from({ length: 5000 }, (_, index) => ({
      field: `[${index}]`,
      rule: "x",
      message: "y",
    }));
    expect(new SignalboxError("VALIDATION_FAILED", "x", { violations }).violations).toEqual(
      violations.slice(0, 100),
    );
  });
});

function fail(): never {
  throw new Error("a value that fights back");
}
