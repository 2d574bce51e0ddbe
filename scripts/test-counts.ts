import { existsSync, readFileSync } from "node:fs";

export type Count = { passed: number; failed: number; skipped: number };

/** A report that is not there means that the runner died before it could count. */
const runnerDied: Count = { passed: 0, failed: 1, skipped: 0 };

export function closingLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

export function fromClosingLine(output: string): Count {
  const counts = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  if (!counts) return { ...runnerDied };
  return { passed: Number(counts[1]), failed: Number(counts[2]), skipped: Number(counts[3] ?? 0) };
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: TestFile[];
};
type TestFile = { status: string; assertionResults: { status: string }[] };

/** A file that cannot be loaded, or whose set-up throws, has no failed test of its own. */
export const isBroken = ({ status, assertionResults }: TestFile): boolean =>
  status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed");

export function fromVitest(file: string): Count {
  if (!existsSync(file)) return { ...runnerDied };
  const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  const brokenFiles = report.testResults.filter(isBroken).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

type PlaywrightReport = {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

export function fromPlaywright(file: string): Count {
  if (!existsSync(file)) return { ...runnerDied };
  const { errors, stats } = JSON.parse(readFileSync(file, "utf8")) as PlaywrightReport;
  // A flaky test failed once: it is not counted as passed.
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}
