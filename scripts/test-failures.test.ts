import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failuresOfPlaywright, failuresOfVitest, tellFailure } from "./test-failures.ts";

const folder = mkdtempSync(join(tmpdir(), "failures-"));

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test("a failed test is told with its file and what it said, and a file that cannot be loaded with its message", () => {
  const file = written(
    "vitest.json",
    JSON.stringify({
      testResults: [
        {
          name: "gates.test.ts",
          status: "failed",
          assertionResults: [
            { status: "failed", fullName: "a gate opens", failureMessages: ["expected 1 to be 2"] },
            { status: "passed", fullName: "a gate closes", failureMessages: [] },
          ],
        },
        {
          name: "broken.test.ts",
          status: "failed",
          message: "Cannot find package 'signals'",
          assertionResults: [],
        },
        { name: "good.test.ts", status: "passed", message: "", assertionResults: [] },
      ],
    }),
  );
  expect(failuresOfVitest(file)).toEqual([
    { name: "gates.test.ts › a gate opens", why: "expected 1 to be 2" },
    { name: "broken.test.ts", why: "Cannot find package 'signals'" },
  ]);
});

test("a failed browser test is told with what the page showed", () => {
  const path = written("error-context.md", "# What to do\n\n```yaml\n- button\n```\n");
  const failed = {
    errors: [{ message: "element(s) not found" }],
    attachments: [{ name: "screenshot" }, { name: "error-context", path }],
  };
  const file = written(
    "playwright.json",
    JSON.stringify({
      errors: [{ message: "the server ended" }],
      suites: [
        {
          title: "settings.spec.ts",
          specs: [{ title: "gates", ok: true, tests: [{ results: [{ errors: [], attachments: [] }] }] }],
          suites: [
            { title: "retention", specs: [{ title: "holds", ok: false, tests: [{ results: [failed] }] }] },
          ],
        },
      ],
    }),
  );
  expect(failuresOfPlaywright(file)).toEqual([
    {
      name: "settings.spec.ts › retention › holds",
      why: "element(s) not found\n```yaml\n- button\n```\n",
    },
    { name: "outside of the tests", why: "the server ended" },
  ]);
});

test("a runner that died left no report, and nothing to tell of it", () => {
  expect(failuresOfVitest("/nonexistent/report.json")).toEqual([]);
  expect(failuresOfPlaywright("/nonexistent/report.json")).toEqual([]);
});

test("what is long is cut, and says how much is left", () => {
  const told = tellFailure({ name: "long", why: "line\n".repeat(160) });
  expect(told.split("\n")).toHaveLength(122);
  expect(told).toMatch(/^✗ long\n {4}line\n[^]*\n {4}… 40 more lines$/);
});
