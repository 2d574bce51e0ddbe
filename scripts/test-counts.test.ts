import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closingLine, fromClosingLine, fromPlaywright, fromVitest } from "./test-counts.ts";

function report(value: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), "report-")), "report.json");
  writeFileSync(file, JSON.stringify(value));
  return file;
}

test("the closing line has the form that CI reads", () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 3 })).toBe("12 passed, 0 failed, 3 skipped");
});

test("the last closing line of a runner counts", () => {
  expect(fromClosingLine("1 passed, 0 failed\nmore\n5 passed, 2 failed, 1 skipped\n")).toEqual({
    passed: 5,
    failed: 2,
    skipped: 1,
  });
});

test("a runner that printed no count has failed", () => {
  expect(fromClosingLine("Segmentation fault")).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("a report that was never written is a failure", () => {
  expect(fromVitest("/nonexistent/report.json").failed).toBe(1);
  expect(fromPlaywright("/nonexistent/report.json").failed).toBe(1);
});

test("a test file that cannot be loaded is a failure although none of its tests failed", () => {
  const file = report({
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      { status: "failed", assertionResults: [{ status: "failed" }] },
      { status: "failed", assertionResults: [] },
      { status: "passed", assertionResults: [{ status: "passed" }] },
    ],
  });
  expect(fromVitest(file)).toEqual({ passed: 4, failed: 2, skipped: 2 });
});

test("a flaky browser test and an error outside tests are failures", () => {
  const file = report({ errors: [{}], stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 } });
  expect(fromPlaywright(file)).toEqual({ passed: 7, failed: 3, skipped: 2 });
});
