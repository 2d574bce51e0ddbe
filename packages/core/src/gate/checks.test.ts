import { Confidence, EvidenceType, Outcome } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { checkBuild, checkEvidence, checkStatic, checkTests, proves } from "./evidence-checks.ts";
import { evidenceText } from "./finding-text.ts";
import type { Check } from "./finding.ts";
import { isLimited, workReport } from "./reported-work.ts";
import { checkSafety } from "./safety-check.ts";
import { checkScope } from "./scope-check.ts";
import { aContract, aGate, aResult, aSafety, failed, type ItemInit, passed } from "./testing/gate-input.ts";

const { TEST, LINT, TYPECHECK, BUILD, SECURITY } = EvidenceType;
const reasons = ({ findings }: Check) => findings.map(({ reason }) => reason);
const noEvidence = (outcome: Outcome, said = "the tool crashed") => {
  const result = aResult({ status: { outcome, confidence: Confidence.UNCERTAIN } });
  result.evidence = {
    ...result.evidence,
    evidencePayload: { case: "noneWithReason", value: said },
  } as typeof result.evidence;
  return result;
};

describe("evidence", () => {
  test("GATE-2 a success needs an item that passed", () => {
    expect(checkEvidence(aResult()).passed).toBe(true);
    expect(reasons(checkEvidence(noEvidence(Outcome.SUCCESS)))).toEqual(["no-evidence"]);
    expect(reasons(checkEvidence(aResult({}, [failed(TEST, "pnpm test")])))).toEqual(["nothing-passed"]);
    expect(reasons(checkEvidence(aResult({}, [])))).toEqual(["no-evidence"]);
  });

  test("GATE-3 a failure may say why it has none", () => {
    const check = checkEvidence(noEvidence(Outcome.PARTIAL));
    expect(check.passed).toBe(true);
    expect(evidenceText(check)).toBe('no evidence, with a reason: "the tool crashed"');
  });
});

describe("GATE-4 a command is proved by itself", () => {
  test.each([
    ["pnpm test", true],
    ["  pnpm   test ", true],
    ["CI=1 pnpm test", true],
    ["pnpm test --reporter=json src/a.test.ts", true],
    ["pnpm test || true", false],
    ["pnpm test; true", false],
    ["pnpm test $(rm -r x)", false],
    ["pnpm test > out", false],
    ["echo pnpm test", false],
    ["pnpm tests", false],
    ["pnpm", false],
    ["", false],
  ])("%s", (run, expected) => {
    expect(proves(run, "pnpm test")).toBe(expected);
  });

  test.each([
    ["CI=1 pnpm test", true],
    ["CI=1 pnpm test --bail", true],
    ["TZ=UTC CI=1 pnpm test", true],
    ["pnpm test", false],
    ["CI=0 pnpm test", false],
    ["CI=1 pnpm test || true", false],
  ])("%s, where the contract's command sets a variable itself", (run, expected) => {
    expect(proves(run, "CI=1 pnpm test")).toBe(expected);
  });

  test("by an item of its own type", () => {
    const contract = aContract({ environment: { lintCommand: "oxlint" } });
    expect(reasons(checkStatic({ contract, result: aResult({}, [passed(TEST, "oxlint")]) }))).toEqual([
      "command-not-proved",
    ]);
    expect(checkStatic({ contract, result: aResult({}, [passed(LINT, "oxlint")]) }).passed).toBe(true);
  });
});

test("GATE-5 the last run of a command counts", () => {
  const contract = aContract({ tests: { testsToRun: ["pnpm test"] } });
  const runs = (...items: ItemInit[]) => checkTests({ contract, result: aResult({}, items) });
  expect(runs(failed(TEST, "pnpm test"), passed(TEST, "pnpm  test")).passed).toBe(true);
  expect(reasons(runs(passed(TEST, "pnpm test"), failed(TEST, "pnpm test")))).toEqual(["command-failed"]);
});

describe("GATE-6 required only where the contract names a command", () => {
  const contract = aContract({
    environment: {
      testCommand: "pnpm test",
      lintCommand: "oxlint",
      typecheckCommand: "tsc -b",
      buildCommand: "pnpm build",
    },
    tests: { testsToRun: ["pnpm test", "pnpm test:e2e"] },
  });
  const silent = aResult({}, [passed(EvidenceType.MANUAL, "looked")]);

  test.each([
    ["tests", checkTests, 2],
    ["static", checkStatic, 2],
    ["build", checkBuild, 1],
  ])("%s", (_name, judge, commands) => {
    expect(judge({ contract, result: silent }).findings).toHaveLength(commands);
    const without = judge({ contract: aContract(), result: silent });
    expect(without.passed).toBe(true);
    expect(evidenceText(without)).toMatch(/^not required: the contract names no /);
  });

  test("and what was run and failed fails all the same", () => {
    expect(
      reasons(checkBuild({ contract: aContract(), result: aResult({}, [failed(BUILD, "make")]) })),
    ).toEqual(["command-failed"]);
    expect(
      reasons(checkStatic({ contract: aContract(), result: aResult({}, [failed(TYPECHECK, "tsc")]) })),
    ).toEqual(["command-failed"]);
  });

  test("the evidence names each command", () => {
    expect(evidenceText(checkTests({ contract, result: silent }))).toBe(
      'no test evidence for "pnpm test", which the contract names; no test evidence for "pnpm test:e2e", which the contract names',
    );
  });
});

const told = (command: string) => ({
  work: workReport({ turns: 1, calls: 1, used: [{ tool: "bash", command }] }),
});

describe("safety", () => {
  test("GATE-12 prohibited actions, reported or in a command", () => {
    const safety = aSafety({ prohibitedActions: ["git push", "drop_table"] });
    expect(reasons(checkSafety(aGate({ safety, work: { actionsTaken: ["Drop Table"] } })))).toEqual([
      "prohibited-action",
    ]);
    const pushed = aResult({}, [passed(TEST, "pnpm test && git push origin")]);
    expect(reasons(checkSafety(aGate({ safety, result: pushed })))).toEqual(["prohibited-action"]);
    expect(checkSafety(aGate({ safety, work: { actionsTaken: ["git pushback", "drop"] } })).passed).toBe(
      true,
    );
  });

  test("GATE-13 denied tools and tools that are not allowed", () => {
    const safety = aSafety({ toolDenylist: ["curl"], toolAllowlist: ["node", "curl"] });
    expect(reasons(checkSafety(aGate({ safety, work: { toolsUsed: ["node", "Curl", "sed"] } })))).toEqual([
      "denied-tool",
      "tool-not-allowed",
    ]);
    const curled = aResult({}, [passed(TEST, "CI=1 /usr/bin/curl localhost")]);
    expect(reasons(checkSafety(aGate({ safety, result: curled })))).toEqual(["denied-tool"]);
  });

  test("GATE-14 steps", () => {
    const safety = aSafety({ maxAutonomousSteps: 5 });
    expect(reasons(checkSafety(aGate({ safety, work: { stepsTaken: 6 } })))).toEqual(["too-many-steps"]);
    expect(checkSafety(aGate({ safety, work: { stepsTaken: 5 } })).passed).toBe(true);
    expect(checkSafety(aGate({ safety: aSafety(), work: { stepsTaken: 600 } })).passed).toBe(true);
  });

  test("GATE-12 GATE-13 what a tool was given to run is held against both lists, as the evidence's commands are", () => {
    const pushes = aSafety({ prohibitedActions: ["git push"] });
    expect(reasons(checkSafety(aGate({ safety: pushes, ...told("cd x && git push origin") })))).toEqual([
      "prohibited-action",
    ]);
    expect(reasons(checkSafety(aGate({ safety: pushes, ...told('["git","push"]') })))).toEqual([
      "prohibited-action",
    ]);
    const curls = aSafety({ toolDenylist: ["curl"], toolAllowlist: ["bash"] });
    expect(reasons(checkSafety(aGate({ safety: curls, ...told("CI=1 curl localhost") })))).toEqual([
      "denied-tool",
    ]);
    expect(checkSafety(aGate({ safety: curls, ...told("echo curl") })).passed).toBe(true);
  });

  test("GATE-29 a turn is a step, and without turns a call; what nobody told is not reported", () => {
    const used = [
      { tool: "bash", command: "ls" },
      { tool: "bash", command: null },
      { tool: "grep", command: "[1]" },
    ];
    expect(workReport({ turns: 3, calls: 9, used })).toEqual({
      stepsTaken: 3,
      toolsUsed: ["bash", "grep"],
      actionsTaken: ["bash", "grep"],
      commandsRun: ["ls", "[1]"],
    });
    expect(workReport({ turns: 0, calls: 9, used }).stepsTaken).toBe(9);
    expect(workReport({ turns: 2, calls: 0, used: [] })).toEqual({ stepsTaken: 2 });
    expect(workReport({ turns: 0, calls: 0, used: [] })).toEqual({});
  });

  test.each([
    [undefined, false],
    [aSafety({ authScopes: ["repo:read"], securityFlags: { touchesAuth: true } }), false],
    [aSafety({ maxAutonomousSteps: 1 }), true],
    [aSafety({ prohibitedActions: ["x"] }), true],
    [aSafety({ toolAllowlist: ["x"] }), true],
    [aSafety({ toolDenylist: ["x"] }), true],
  ])(
    "GATE-29 only a task whose safety limits something has its agents' reports read (%#)",
    (safety, limited) => {
      expect(isLimited(safety)).toBe(limited);
    },
  );

  test("GATE-15 a security scan that failed", () => {
    const result = aResult({}, [passed(TEST, "pnpm test"), failed(SECURITY, "audit")]);
    expect(reasons(checkSafety(aGate({ result })))).toEqual(["command-failed"]);
  });

  test("GATE-16 secrets: known forms fail, names and randomness are noted", () => {
    const token = ["ghp", "_", "aB3".repeat(12)].join("");
    const leaked = checkSafety(aGate({ result: aResult({ contextOut: { rollbackNotes: `use ${token}` } }) }));
    expect(leaked.findings).toEqual([
      { reason: "secret-in-output", path: "contextOut.rollbackNotes", rule: "github-token" },
    ]);
    expect(evidenceText(leaked)).not.toContain("aB3aB3");
    const noted = checkSafety(
      aGate({ result: aResult({}, [{ ...passed(TEST, "t"), output: "password=test\nok" }]) }),
    );
    expect(noted.passed).toBe(true);
    expect(evidenceText(noted)).toContain("masked at evidence.items.items[0].output: credential-assignment");
  });

  test("GATE-17 what is limited and not reported is said, and passes", () => {
    const safety = aSafety({ toolDenylist: ["curl"], prohibitedActions: ["x"], maxAutonomousSteps: 3 });
    const silent = checkSafety(aGate({ safety }));
    expect(silent.passed).toBe(true);
    expect(evidenceText(silent)).toMatch(
      /tools used: not reported.*actions taken: not reported.*steps taken \(limit 3\): not reported/,
    );
    expect(
      evidenceText(checkSafety(aGate({ safety, work: { toolsUsed: [], actionsTaken: [], stepsTaken: 0 } }))),
    ).not.toContain("not reported,");
  });
});

test("GATE-1 a check's evidence is bounded, whatever was found", () => {
  const result = aResult({
    artifacts: Array.from({ length: 3000 }, (_, index) => ({ path: `../${"x".repeat(300)}${index}` })),
  });
  const text = evidenceText(checkScope(aGate({ result })));
  expect(text.length).toBeLessThan(4_100);
  expect(text).toMatch(/points in all\)$/);
});
