import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type AgentManifest,
  type AgentResult,
  AgentResultSchema,
  Confidence,
  EvidenceType,
  Outcome,
  RiskTier,
} from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manifest, NOW } from "../dispatch/testing/registry.ts";
import { stageNamed } from "../pipeline/ledger.ts";
import { reporter } from "../pipeline/testing/definitions.ts";
import { type Report, judgeReport } from "./judge-report.ts";
import { attempted, type Attempted, sent } from "./testing/attempt.ts";

type ResultInit = Exclude<MessageInitShape<typeof AgentResultSchema>, AgentResult>;

const good = (init: ResultInit = {}): AgentResult =>
  create(AgentResultSchema, {
    protocolVersion: { schemaVersion: "1.2.0" },
    trace: { traceId: "trace-1" },
    dispatchId: "pl-1-d0.1",
    attemptNumber: 1,
    status: { outcome: Outcome.SUCCESS, confidence: Confidence.CONFIDENT, summary: "done" },
    evidence: {
      evidencePayload: {
        case: "items",
        value: { items: [{ type: EvidenceType.TEST, command: "vitest run", passed: true }] },
      },
    },
    ...init,
  });

/** The judgement of a report on the first dispatch of stage "a". */
function judged(
  result: AgentResult,
  report: Partial<Report> = {},
  options: Attempted & { readonly pack?: AgentManifest } = {},
) {
  const pipeline = attempted({ submission: { execution: { riskTier: RiskTier.LOW } }, ...options });
  const { event } = sent(pipeline, "a", NOW);
  const { run, task } = pipeline;
  run.apply(event);
  const stage = stageNamed(run.state, "a");
  if (stage === undefined) throw new Error("no stage");
  const judgement = judgeReport(
    {
      state: run.state,
      stage,
      dispatch: run.dispatchOf("a"),
      task,
      traceId: "trace-1",
      manifest: options.pack,
      schemaVersion: "1.2.0",
    },
    { by: reporter, result, dispatchId: "pl-1-d0.1", masked: [], violations: [], ...report },
  );
  return { judgement, run };
}

describe("ATT-5 a report", () => {
  test("on another dispatch or an earlier attempt is stale", () => {
    expect(judged(good(), { dispatchId: "pl-1-d0.7" }).judgement.kind).toBe("stale");
    const late = good({ dispatchId: "", attemptNumber: 0 });
    expect(judged(late, { dispatchId: "pl-1-d1.1" }).judgement).toMatchObject({
      kind: "stale",
      message: expect.stringContaining("pl-1-d0.1"),
    });
  });

  test.each<[string, AgentResult, Partial<Report>, string]>([
    ["another trace", good({ trace: { traceId: "other" } }), {}, "trace"],
    [
      "a schema of another major version",
      good({ protocolVersion: { schemaVersion: "2.0.0" } }),
      {},
      "schema-version",
    ],
    ["another dispatch than it was reported for", good({ dispatchId: "pl-1-d0.2" }), {}, "dispatch"],
    ["an attempt that never was", good({ attemptNumber: 4 }), {}, "attempt"],
    [
      "a fault of its shape",
      good(),
      { violations: [{ field: "status.summary", rule: "string.max_len", message: "must be shorter" }] },
      "schema",
    ],
  ])("with %s is invalid, and says why", (_, result, report, reason) => {
    const { judgement } = judged(result, report);
    expect(judgement).toMatchObject({ kind: "invalid", faults: [{ reason }] });
    expect(judgement.kind === "invalid" && judgement.error).not.toBe("");
  });

  test("with several faults names them all", () => {
    const { judgement } = judged(good({ trace: { traceId: "other" }, attemptNumber: 3 }));
    expect(judgement).toMatchObject({
      kind: "invalid",
      faults: [{ reason: "trace" }, { reason: "attempt" }],
    });
    expect(judgement.kind === "invalid" && judgement.error).toMatch(/trace.*; .*attempt/);
  });

  test("that is valid goes through the gate, and its event is what the pipeline decides on", () => {
    const { judgement, run } = judged(good());
    if (judgement.kind !== "accepted") throw new Error(judgement.kind);
    expect(judgement.gate.checks.map(({ name }) => name)).toEqual([
      "evidence",
      "tests",
      "static",
      "build",
      "scope",
      "safety",
    ]);
    expect(run.apply(judgement.event).stages).toEqual({ a: "COMPLETED" });
  });

  test.each([
    [RiskTier.LOW, "advance"],
    [RiskTier.NORMAL, "ask"],
    [RiskTier.CRITICAL, "ask"],
  ])("is judged at the tier at which its dispatch was sent (D14): %d", (riskTier, verdict) => {
    const unsure = good({ status: { outcome: Outcome.SUCCESS, confidence: Confidence.UNCERTAIN } });
    const { judgement } = judged(unsure, {}, { submission: { execution: { riskTier } } });
    expect(judgement).toMatchObject({
      kind: "accepted",
      event: { judgement: { verdict } },
      gate: { tier: riskTier },
    });
  });

  test("is judged on the stage's own contract, not on the task's", () => {
    const options: Attempted = {
      submission: { execution: { riskTier: RiskTier.LOW } },
      configs: [{ contractTemplate: { expectedFiles: { modify: ["docs/guide.md"] } } }],
    };
    const outside = good({ artifacts: [{ path: "src/login.ts", digest: "sha256:1" }] });
    const { judgement } = judged(outside, {}, options);
    expect(
      judgement.kind === "accepted" && judgement.gate.checks.find(({ name }) => name === "scope")?.passed,
    ).toBe(false);
    const inside = good({ artifacts: [{ path: "docs/guide.md", digest: "sha256:1" }] });
    expect(judged(inside, {}, options).judgement).toMatchObject({
      event: { judgement: { verdict: "advance" } },
    });
  });

  test("is one of the three whatever it says, and only an accepted one has an event", () => {
    const anyResult = fc.record({
      trace: fc.constantFrom("trace-1", "", "other"),
      version: fc.constantFrom("1.2.0", "1.9.3", "0.1.0", "two", ""),
      dispatchId: fc.constantFrom("pl-1-d0.1", "pl-1-d0.2", ""),
      attemptNumber: fc.integer({ min: 0, max: 3 }),
      outcome: fc.constantFrom(...Object.values(Outcome).filter((one) => typeof one === "number")),
    });
    fc.assert(
      fc.property(anyResult, fc.constantFrom("pl-1-d0.1", "pl-1-d0.9"), (said, addressedTo) => {
        const result = good({
          trace: { traceId: said.trace },
          protocolVersion: { schemaVersion: said.version },
          dispatchId: said.dispatchId,
          attemptNumber: said.attemptNumber,
          status: { outcome: said.outcome, confidence: Confidence.CONFIDENT },
        });
        const { judgement } = judged(result, { dispatchId: addressedTo });
        const current = addressedTo === "pl-1-d0.1";
        const fits =
          said.trace === "trace-1" &&
          said.version.startsWith("1.") &&
          said.dispatchId !== "pl-1-d0.2" &&
          said.attemptNumber < 2 &&
          said.outcome !== Outcome.UNSPECIFIED;
        expect(judgement.kind).toBe(current ? (fits ? "accepted" : "invalid") : "stale");
      }),
    );
  });
});

test("DSP-106 a result without an outcome is invalid, by its field; an answer may say it instead", () => {
  expect(judged(good({ status: { summary: "forgot it" } })).judgement).toMatchObject({
    kind: "invalid",
    faults: [{ found: { field: "status.outcome", rule: "required" } }],
    error: expect.stringMatching(/^status\.outcome: is not said; OUTCOME_SUCCESS, .* are allowed$/),
  });
  expect(judged(good({ status: undefined, trace: { traceId: "other" } })).judgement).toMatchObject({
    kind: "invalid",
    faults: [{ reason: "trace" }, { found: { field: "status.outcome" } }],
  });
  const answered = good({ status: undefined, response: { status: "success", data: {} } });
  expect(judged(answered).judgement).toMatchObject({
    event: { result: { status: { outcome: Outcome.SUCCESS } } },
  });
});

describe("SACP-7 a text that is reported", () => {
  const answer = '{"thought":"t","status":"failure","data":{},"message":"No such company"}';
  const text = good({ status: { outcome: Outcome.SUCCESS, summary: answer } });

  test("is read as an answer where the pack's agents always give one", () => {
    const pack = manifest("pack", { interface: { responseFormat: "json_standard" } });
    expect(judged(text, {}, { pack }).judgement).toMatchObject({
      event: { result: { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, summary: "No such company" } } },
    });
  });

  test("is a text like any other where nobody asked for one", () => {
    expect(judged(text, {}, { pack: manifest("pack") }).judgement).toMatchObject({
      event: { result: { status: { outcome: Outcome.SUCCESS, summary: answer } } },
    });
  });
});
