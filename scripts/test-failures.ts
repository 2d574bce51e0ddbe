/** Which tests failed, and why, told once more at the very end: of a long log only the end may be kept. */
import { existsSync, readFileSync } from "node:fs";
import { isBroken } from "./test-counts.ts";

export type Failure = { name: string; why: string };

const mostLines = 120;

type VitestReport = {
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
};

/** A file that could not be loaded has a message of its own, and no test that says it. */
export function failuresOfVitest(file: string): Failure[] {
  const { testResults = [] } = read(file) as VitestReport;
  return testResults.flatMap((tested) => {
    const { name, message = "", assertionResults } = tested;
    if (isBroken(tested)) return [{ name, why: message }];
    const failed = assertionResults.filter((assertion) => assertion.status === "failed");
    return failed.map(({ fullName, failureMessages = [] }) => ({
      name: `${name} › ${fullName}`,
      why: failureMessages.join("\n"),
    }));
  });
}

type PlaywrightError = { message?: string; stack?: string };
type Suite = { title: string; suites?: Suite[]; specs?: Spec[] };
type Spec = { title: string; ok: boolean; tests: { results: Result[] }[] };
type Result = { errors?: PlaywrightError[]; attachments?: { name: string; path?: string }[] };

/** With what the page showed then, which Playwright writes beside its picture. */
export function failuresOfPlaywright(file: string): Failure[] {
  const { suites = [], errors = [] } = read(file) as { suites?: Suite[]; errors?: PlaywrightError[] };
  const outside = errors.map((error) => ({ name: "outside of the tests", why: said(error) }));
  return [...suites.flatMap((suite) => failuresOfSuite(suite, [])), ...outside];
}

function failuresOfSuite({ title, suites = [], specs = [] }: Suite, above: readonly string[]): Failure[] {
  const names = [...above, title];
  const own = specs
    .filter(({ ok }) => !ok)
    .map((spec) => ({
      name: [...names, spec.title].join(" › "),
      why: spec.tests.flatMap(({ results }) => results.flatMap(whyOf)).join("\n"),
    }));
  return [...own, ...suites.flatMap((suite) => failuresOfSuite(suite, names))];
}

function whyOf({ errors = [], attachments = [] }: Result): string[] {
  const contexts = attachments.filter(({ name }) => name === "error-context");
  return errors.map(said).concat(contexts.map(({ path }) => shown(path)));
}

const said = ({ message, stack }: PlaywrightError): string => message ?? stack ?? "";

function shown(path: string | undefined): string {
  if (path === undefined || !existsSync(path)) return "";
  const context = readFileSync(path, "utf8");
  return context.slice(Math.max(0, context.indexOf("```yaml")));
}

export function tellFailure({ name, why }: Failure): string {
  const lines = why.trimEnd().split("\n");
  const kept = lines.slice(0, mostLines).map((line) => `    ${line}`.trimEnd());
  const left = lines.length - kept.length;
  return [`✗ ${name}`, ...kept, ...(left > 0 ? [`    … ${left} more lines`] : [])].join("\n");
}

function read(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
