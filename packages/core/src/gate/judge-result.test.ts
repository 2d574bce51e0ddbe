import { ArtifactAction, Confidence, EvidenceType, Outcome, RiskTier } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkNames } from "./finding.ts";
import { judgeResult } from "./judge-result.ts";
import { aContract, aGate, aResult, aSafety, failed, passed } from "./testing/gate-input.ts";

const status = (outcome: Outcome, confidence: Confidence = Confidence.CONFIDENT) => ({ outcome, confidence });
const verdictOf = (change: Parameters<typeof aGate>[0]) =>
  judgeResult(aGate(change)).judgement?.verdict ?? null;

test("GATE-1 the snapshot holds all six checks in order, each with its evidence, and the tier", () => {
  const { snapshot } = judgeResult(aGate({ tier: RiskTier.NORMAL }));
  expect(snapshot.checks?.map(({ gateName }) => gateName)).toEqual(checkNames);
  expect(snapshot.checks?.filter(({ evidence }) => evidence === "")).toEqual([]);
  expect(snapshot).toMatchObject({ tier: "NORMAL", passed: true, rejectReason: "", rewindTargetStage: "" });
});

describe("GATE-18 PARTIAL asks a person", () => {
  test.each([RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL])("at tier %i", (tier) => {
    const decision = judgeResult(aGate({ tier, result: aResult({ status: status(Outcome.PARTIAL) }) }));
    expect(decision.judgement).toMatchObject({ verdict: "ask", recommended: "retry" });
    expect(decision.askedBecause).toContain("partial");
    expect(decision.snapshot.passed).toBe(false);
  });

  test("with failed checks too, and rewind recommended where the result names a stage", () => {
    const result = aResult(
      { status: status(Outcome.PARTIAL), response: { status: "success", data: { rewind_to: "implement" } } },
      [failed(EvidenceType.TEST, "t")],
    );
    expect(judgeResult(aGate({ result })).judgement).toMatchObject({ verdict: "ask", recommended: "rewind" });
  });
});

test("GATE-19 a breach asks a person at LOW, and is not simply tried again", () => {
  const decision = judgeResult(
    aGate({ safety: aSafety({ toolDenylist: ["curl"] }), work: { toolsUsed: ["curl"] } }),
  );
  expect(decision.judgement).toMatchObject({ verdict: "ask", recommended: "retry" });
  expect(decision.askedBecause).toEqual(["breach"]);
  expect(decision.snapshot.rejectReason).toContain('the denied tool "curl" was used');
});

describe("GATE-19 a breach is seen by a person, whatever else the result says", () => {
  const breached = { safety: aSafety({ toolDenylist: ["curl"] }), work: { toolsUsed: ["curl"] } };
  test.each([Outcome.RETRYABLE_FAILURE, Outcome.NON_RETRYABLE_FAILURE])(
    "a failure, outcome %i",
    (outcome) => {
      const result = aResult({ status: { outcome, failureCode: "NO_NETWORK", failureReason: "no route" } });
      const { judgement, askedBecause } = judgeResult(aGate({ ...breached, result }));
      expect(judgement).toMatchObject({ verdict: "ask", recommended: "retry" });
      expect(askedBecause).toContain("breach");
      expect(judgement).toHaveProperty(
        "problem",
        expect.stringMatching(/denied tool "curl".*NO_NETWORK: no route/),
      );
    },
  );

  test("a failure that sends the work back", () => {
    const result = blocked("rewind: plan");
    expect(judgeResult(aGate({ ...breached, result, upstreamStageIds: ["plan"] })).judgement).toMatchObject({
      verdict: "ask",
      recommended: "rewind",
    });
  });

  test("a question of the agent", () => {
    const response = { status: "clarification_needed", data: {}, message: "Which region?" };
    expect(judgeResult(aGate({ ...breached, result: aResult({ response }) })).judgement).toMatchObject({
      verdict: "clarify",
      question: expect.stringMatching(/^Which region\?\nBesides, .*denied tool "curl"/),
    });
  });
});

test("GATE-20 of work that its agent calls blocked no advance is recommended, and its blockers are told", () => {
  const result = aResult({
    status: { ...status(Outcome.SUCCESS, Confidence.BLOCKED), summary: "half of it" },
    blockers: [{ description: "no access to the database", suggestedResolution: "a password" }],
  });
  expect(judgeResult(aGate({ tier: RiskTier.NORMAL, result })).judgement).toMatchObject({
    verdict: "ask",
    recommended: "retry",
    problem: expect.stringMatching(/half of it.*no access to the database \(a password\)/),
  });
});

describe("GATE-20 tiers", () => {
  const { CONFIDENT, UNCERTAIN, BLOCKED, UNSPECIFIED } = Confidence;
  const unknownTier = 9 as RiskTier;
  test.each([
    [RiskTier.LOW, UNCERTAIN, "advance"],
    [RiskTier.NORMAL, CONFIDENT, "advance"],
    [RiskTier.NORMAL, UNCERTAIN, "ask"],
    [RiskTier.NORMAL, BLOCKED, "ask"],
    [RiskTier.NORMAL, UNSPECIFIED, "ask"],
    [RiskTier.UNSPECIFIED, CONFIDENT, "advance"],
    [RiskTier.UNSPECIFIED, UNCERTAIN, "ask"],
    [RiskTier.CRITICAL, CONFIDENT, "ask"],
    [unknownTier, CONFIDENT, "ask"],
  ])("tier %i with confidence %i: %s", (tier, confidence, verdict) => {
    expect(verdictOf({ tier, result: aResult({ status: status(Outcome.SUCCESS, confidence) }) })).toBe(
      verdict,
    );
  });

  test("a question with all checks passed recommends to advance and says what was not reported", () => {
    const { judgement } = judgeResult(aGate({ tier: RiskTier.CRITICAL, patchSizeLimit: 5 }));
    expect(judgement).toMatchObject({
      verdict: "ask",
      recommended: "advance",
      problem:
        'Stage "review": the tier is CRITICAL, so a person other than the submitter decides. All six checks passed. ' +
        "scope: patch size (limit 5 lines) not reported",
    });
  });
});

describe("GATE-21 security flags", () => {
  const safety = aSafety({ securityFlags: { touchesBilling: true } });
  test.each([
    [["touches_billing"], "ask"],
    [["Billing"], "ask"],
    [["touches_auth"], "advance"],
    [[], "advance"],
  ])("%j: %s", (escalateOnFlags, verdict) => {
    expect(verdictOf({ safety, escalateOnFlags })).toBe(verdict);
  });
});

describe("GATE-22 the outcome alone decides", () => {
  test.each([Outcome.RETRYABLE_FAILURE, Outcome.NON_RETRYABLE_FAILURE, Outcome.POLICY_BLOCKED])(
    "outcome %i",
    (outcome) => {
      const decision = judgeResult(aGate({ result: aResult({ status: status(outcome) }) }));
      expect(decision.judgement).toBeNull();
      expect(decision.snapshot.passed).toBe(false);
      expect(decision.snapshot.checks).toHaveLength(6);
    },
  );

  test("without an outcome it fails", () => {
    expect(verdictOf({ result: aResult({ status: status(Outcome.UNSPECIFIED) }) })).toBe("fail");
    expect(verdictOf({ result: aResult({ status: status(42 as Outcome) }) })).toBe("fail");
  });
});

test("GATE-23 a question of the agent comes first", () => {
  const response = { status: "clarification_needed", data: {}, message: "Which region?" };
  const result = aResult({ response, status: status(Outcome.PARTIAL) });
  expect(judgeResult(aGate({ result })).judgement).toEqual({ verdict: "clarify", question: "Which region?" });
});

const blocked = (suggestedResolution: string, outcome: Outcome = Outcome.NON_RETRYABLE_FAILURE) =>
  aResult({
    status: { outcome, failureCode: "REVIEW_FAILED", failureReason: "no budget" },
    blockers: [{ description: "take() ignores it", suggestedResolution }],
  });

const talkingBack = (data: object = {}) =>
  aResult({
    status: {
      outcome: Outcome.NON_RETRYABLE_FAILURE,
      failureCode: "SACP_FAILURE",
      failureReason: "Cite it.",
    },
    response: {
      status: "failure",
      data: { ...data },
      message: "Cite it.",
      nextStepHint: "retry_with_instruction",
    },
  });

describe("a result that names an earlier stage", () => {
  test("GATE-24 goes back to it, with what was found as instructions", () => {
    const { judgement, snapshot } = judgeResult(aGate({ result: blocked("rewind: implement") }));
    expect(judgement).toMatchObject({
      verdict: "reject",
      targetStageId: "implement",
      instructions: "REVIEW_FAILED: no budget\ntake() ignores it (rewind: implement)",
    });
    expect(snapshot).toMatchObject({ passed: false, rewindTargetStage: "implement" });
  });

  test("GATE-24 by the answer's data too, and with a success whose checks failed", () => {
    const result = aResult({ response: { status: "success", data: { rewind_to: "analyse" } } }, [
      failed(EvidenceType.TEST, "t"),
    ]);
    expect(judgeResult(aGate({ result })).judgement).toMatchObject({
      verdict: "reject",
      targetStageId: "analyse",
    });
  });

  test("GATE-24 a success whose checks passed advances, whatever it names", () => {
    expect(verdictOf({ result: blocked("rewind: implement", Outcome.SUCCESS), tier: RiskTier.LOW })).toBe(
      "advance",
    );
  });

  test("GATE-28 an answer that is an instruction to the agent before it goes there, or where it says", () => {
    expect(judgeResult(aGate({ result: talkingBack() })).judgement).toMatchObject({
      verdict: "reject",
      targetStageId: "implement",
      instructions: expect.stringContaining("Cite it."),
    });
    expect(judgeResult(aGate({ result: talkingBack({ rewind_to: "analyse" }) })).judgement).toMatchObject({
      targetStageId: "analyse",
    });
    for (const previousStageIds of [[], ["implement", "analyse"]])
      expect(verdictOf({ result: talkingBack(), previousStageIds })).toBeNull();
  });

  test.each(["rewind: deploy", "rewind: review", "rewind to implement", "please rewind: implement now", ""])(
    "GATE-25 %j moves nothing",
    (suggestion) => {
      expect(verdictOf({ result: blocked(suggestion) })).toBeNull();
      const failing = aResult({ blockers: [{ description: "d", suggestedResolution: suggestion }] }, [
        failed(EvidenceType.TEST, "t"),
      ]);
      expect(verdictOf({ result: failing })).toBe("retry");
    },
  );
});

test("GATE-26 checks that failed are a retry that is told what was found", () => {
  const contract = aContract({ environment: { buildCommand: "make" }, expectedFiles: { create: ["a"] } });
  const result = aResult({ artifacts: [{ path: "b", action: ArtifactAction.CREATED }] });
  expect(judgeResult(aGate({ contract, result, tier: RiskTier.CRITICAL })).judgement).toMatchObject({
    verdict: "retry",
    instructions:
      'build: no build evidence for "make", which the contract names; scope: "b" is not among the files to create',
  });
});

const anyInput = fc
  .record({
    outcome: fc.constantFrom(...[0, 1, 2, 3, 4, 5].map((outcome) => outcome as Outcome)),
    confidence: fc.constantFrom(...[0, 1, 2, 3].map((confidence) => confidence as Confidence)),
    tier: fc.constantFrom(...[0, 1, 2, 3].map((tier) => tier as RiskTier)),
    items: fc.array(
      fc.record({
        type: fc.constantFrom(EvidenceType.TEST, EvidenceType.LINT, EvidenceType.SECURITY),
        command: fc.constantFrom("t", "l", "curl x"),
        isPassed: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    path: fc.constantFrom("src/a.ts", "../a", "other"),
    lint: fc.constantFrom("", "l"),
    flag: fc.boolean(),
    steps: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    target: fc.constantFrom("", "implement", "deploy"),
  })
  .map((one) =>
    aGate({
      tier: one.tier,
      result: aResult(
        {
          status: status(one.outcome, one.confidence),
          artifacts: [{ path: one.path, action: ArtifactAction.CREATED }],
          response: { status: "success", data: { rewind_to: one.target } },
        },
        one.items.map(({ type, command, isPassed }) =>
          isPassed ? passed(type, command) : failed(type, command),
        ),
      ),
      contract: aContract({ environment: { lintCommand: one.lint }, expectedFiles: { create: ["src/"] } }),
      safety: aSafety({
        toolDenylist: ["curl"],
        maxAutonomousSteps: 5,
        securityFlags: { touchesAuth: one.flag },
      }),
      escalateOnFlags: ["auth"],
      work: one.steps === undefined ? {} : { stepsTaken: one.steps },
    }),
  );

test("GATE-27 it advances exactly when every check passed, the work is whole, and neither tier nor flag asks", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { judgement, checks, tier } = judgeResult(input);
      const { status: said } = input.result;
      const sure =
        tier === RiskTier.LOW || (tier === RiskTier.NORMAL && said?.confidence === Confidence.CONFIDENT);
      const may =
        checks.every((check) => check.passed) &&
        said?.outcome === Outcome.SUCCESS &&
        sure &&
        input.safety?.securityFlags?.touchesAuth === false;
      expect(judgement?.verdict === "advance").toBe(may);
    }),
    { numRuns: 500 },
  );
});

test("GATE-27 every input gets one judgement, the same each time, and is left as it was", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const before = structuredClone({
        result: input.result,
        contract: input.contract,
        safety: input.safety,
      });
      const decision = judgeResult(input);
      expect(judgeResult(input)).toEqual(decision);
      expect({ result: input.result, contract: input.contract, safety: input.safety }).toEqual(before);
      const outcome = input.result.status?.outcome;
      const judged =
        outcome === Outcome.SUCCESS || outcome === Outcome.PARTIAL || outcome === Outcome.UNSPECIFIED;
      expect(decision.judgement === null && judged).toBe(false);
      const target =
        decision.judgement?.verdict === "reject" ? decision.judgement.targetStageId : "implement";
      expect(input.upstreamStageIds).toContain(target);
    }),
  );
});
