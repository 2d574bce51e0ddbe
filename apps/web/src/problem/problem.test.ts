import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { isNotFound, isSignedOut, isWorthRetrying, parseProblem, problemOf } from "./problem.ts";

const refusal = (code: string) => ({
  data: {
    problem: {
      code,
      title: "Refused",
      detail: "Because.",
      violations: [{ field: "query", rule: "max_len", message: "at most 200 characters" }, "not a violation"],
      requestId: "0197-aa",
    },
  },
});

test("a problem of the server's is shown with its request id", () => {
  expect(problemOf(refusal("FORBIDDEN"))).toEqual({
    code: "FORBIDDEN",
    title: "Refused",
    detail: "Because.",
    violations: [{ field: "query", rule: "max_len", message: "at most 200 characters" }],
    requestId: "0197-aa",
  });
});

test("a request that found nobody says so, also inside tRPC's error", () => {
  const thrown = TRPCClientError.from(new TypeError("Failed to fetch"));
  expect(problemOf(thrown).code).toBe("UNREACHABLE");
  expect(problemOf(new TypeError("NetworkError when attempting to fetch resource.")).code).toBe(
    "UNREACHABLE",
  );
  expect(problemOf(TRPCClientError.from(new SyntaxError("Unexpected token <"))).code).toBe("UNREACHABLE");
});

test.each([
  undefined,
  null,
  "text",
  7,
  {},
  new Error("x"),
  new TypeError("a.b is undefined"),
  { data: { problem: 1 } },
])("%s is a fault of the page, and what it says is not shown", (thrown) => {
  expect(problemOf(thrown).code).toBe("PAGE_FAILED");
});

test.each([null, [], "x", { code: 1, title: "t" }, { code: "X" }])("%j is no problem document", (body) => {
  expect(parseProblem(body)).toBeUndefined();
});

test("a refusal is not asked for again, an outage is", () => {
  expect(isWorthRetrying(refusal("FORBIDDEN"))).toBe(false);
  expect(isWorthRetrying(refusal("NOT_FOUND"))).toBe(false);
  expect(isWorthRetrying(refusal("UNAVAILABLE"))).toBe(true);
  expect(isWorthRetrying(new TypeError("Failed to fetch"))).toBe(true);
  expect(isSignedOut(refusal("UNAUTHENTICATED"))).toBe(true);
  expect(isNotFound(refusal("NOT_FOUND"))).toBe(true);
});
