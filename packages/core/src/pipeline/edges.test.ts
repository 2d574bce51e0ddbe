import { FailureStrategy, Outcome, StageJoin } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPipeline } from "./create-pipeline.ts";
import { definitionOf, stage, verdicts } from "./testing/definitions.ts";
import { anyEdgedDefinition } from "./testing/any-definition.ts";
import { anyStep } from "./testing/model.ts";
import { Run } from "./testing/run.ts";
import { walk } from "./testing/walk.ts";

const onFailure = 'response.status == "failure"';
const answer = (status: string, data = {}, nextStepHint = "") => ({
  init: { response: { thought: "", status, data, message: "said", nextStepHint } },
});
const failing = (data = {}) => ({
  outcome: Outcome.NON_RETRYABLE_FAILURE,
  judgement: null,
  ...answer("failure", data),
});

/** a leads to b on success, and to c on failure. */
const fork = (options = {}) => [
  stage("a", { edges: { b: "", c: onFailure }, ...options }),
  stage("b"),
  stage("c"),
];

const diamond = (join?: StageJoin) => [
  stage("a", { edges: { b: "", c: "response.data.both" } }),
  stage("b", { edges: { d: "" } }),
  stage("c", { edges: { d: "" } }),
  stage("d", join === undefined ? {} : { join }),
];
const scored = (condition: string) => [stage("a", { edges: { b: condition } }), stage("b")];
const faultsOf = (...stages: Parameters<typeof definitionOf>[0]) => {
  const creation = createPipeline(definitionOf(stages), 0);
  return creation.kind === "refused" ? creation.faults : [];
};

describe("SACP-21 (D10) an edge is taken, or not, when its source ends", () => {
  test("on success, the edge without a condition; the other branch is left, though its stage is required", () => {
    const run = new Run(fork()).finish("a");
    expect(run.stages).toEqual({ a: "COMPLETED", b: "READY", c: "SKIPPED" });
    expect(run.stage("a").edgesTaken).toEqual(["b"]);
    expect(run.stage("c").skipReason).toBe("branch not taken");
    run.finish("b");
    expect(run.status).toBe("COMPLETED");
  });

  test("by the data of the answer", () => {
    const stages = [
      stage("a", { edges: { b: "response.data.score > 0.8", c: "response.data.score <= 0.8" } }),
      stage("b"),
      stage("c"),
    ];
    const run = new Run(stages).send("a").report("a", answer("success", { score: 0.5 }));
    expect(run.stages).toMatchObject({ b: "SKIPPED", c: "READY" });
    expect(run.facts.at(-1)?.rationale).toBe(
      'all checks pass; not to "b" (response.data.score > 0.8), on to "c"',
    );
  });

  test("by the hint of the agent, where the template asks for it", () => {
    const stages = [
      stage("a", { edges: { b: 'response.next_step_hint == "b"', c: 'response.next_step_hint == "c"' } }),
      stage("b"),
      stage("c"),
    ];
    const run = new Run(stages).send("a").report("a", answer("success", {}, "c"));
    expect(run.stages).toMatchObject({ b: "SKIPPED", c: "READY" });
  });

  test("not where its condition cannot be told, and the record says why", () => {
    const run = new Run([stage("a", { edges: { b: "response.data.score > 0.8" } }), stage("b")]).finish("a");
    expect(run.stages).toMatchObject({ b: "SKIPPED" });
    expect(run.facts.find(({ action }) => action === "gate.passed")?.rationale).toContain(
      'not to "b" (No such key: score)',
    );
    expect(run.status).toBe("COMPLETED");
  });

  test("and by the outcome of a stage that answers nothing", () => {
    const stages = [stage("a", { edges: { b: 'result.outcome == "PARTIAL"' } }), stage("b")];
    const run = new Run(stages).send("a").report("a", { outcome: Outcome.PARTIAL, judgement: verdicts.ask });
    expect(run.stages).toMatchObject({ a: "DISPATCHED", b: "PENDING" });
    run.resolve("a", { option: "advance" });
    expect(run.stages).toMatchObject({ a: "COMPLETED", b: "READY" });
  });
});

describe("SACP-22 (D10) a stage that several ways lead to", () => {
  test("starts once all are decided and were taken", () => {
    const run = new Run(diamond())
      .send("a")
      .report("a", answer("success", { both: true }))
      .finish("b");
    expect(run.stages).toMatchObject({ d: "PENDING" });
    run.finish("c");
    expect(run.stages).toMatchObject({ d: "READY" });
  });

  test("with join: any, once all are decided and one was taken", () => {
    const run = new Run(diamond(StageJoin.ANY)).send("a").report("a", answer("success", { both: false }));
    expect(run.stages).toMatchObject({ b: "READY", c: "SKIPPED", d: "PENDING" });
    run.finish("b");
    expect(run.stages).toMatchObject({ d: "READY" });
  });

  test("is SKIPPED where too few were taken, and so is what waits for it alone", () => {
    const stages = [...diamond(), stage("e", { dependsOn: ["d"] })];
    const run = new Run(stages)
      .send("a")
      .report("a", answer("success", { both: false }))
      .finish("b");
    expect(run.stages).toMatchObject({ c: "SKIPPED", d: "SKIPPED", e: "SKIPPED" });
    expect(run.status).toBe("COMPLETED");
  });

  test("SACP-24 goes through what was left out by a person, as a dependency does (D9)", () => {
    const stages = [stage("a", { required: false, edges: { b: "" } }), stage("b")];
    const run = new Run(stages, { strategy: FailureStrategy.PAUSE })
      .fail("a")
      .resolve("a", { option: "skip" });
    expect(run.stages).toEqual({ a: "SKIPPED", b: "READY" });
  });
});

describe("SACP-23 no work that was refused goes on by its own claim", () => {
  const refused = { judgement: verdicts.fail, ...answer("success", { score: 0.9 }) };

  test("a condition over data alone presupposes success", () => {
    const run = new Run(scored("response.data.score > 0.8")).send("a").report("a", refused);
    expect(run.stages).toEqual({ a: "FAILED", b: "PENDING" });
    expect(run.status).toBe("PAUSED");
  });

  test("what a gate refused is a failure without data", () => {
    const claimed = 'response.status == "success" || response.data.score > 0.8';
    expect(new Run(scored(claimed)).send("a").report("a", refused).status).toBe("PAUSED");
    const run = new Run(scored('result.outcome == "NON_RETRYABLE_FAILURE" && !has(response.data.score)'));
    expect(run.send("a").report("a", refused).stages).toEqual({ a: "FAILED", b: "READY" });
  });

  test("an agent's own failure may be told apart by its data", () => {
    const run = new Run(scored(`${onFailure} && response.data.code == "GONE"`));
    expect(run.send("a").report("a", failing({ code: "GONE" })).stages).toEqual({ a: "FAILED", b: "READY" });
  });
});

describe("SACP-25 (D10) a failure that an edge leads on from is handled", () => {
  test.each([FailureStrategy.FAIL_FAST, FailureStrategy.SKIP_FAILED, FailureStrategy.PAUSE])(
    "whatever the strategy (%i): nobody is asked, and the pipeline completes with its handler",
    (strategy) => {
      const run = new Run(fork({ required: false }), { strategy }).send("a").report("a", failing());
      expect(run.stages).toEqual({ a: "FAILED", b: "SKIPPED", c: "READY" });
      expect(run.state.escalations).toEqual([]);
      run.finish("c");
      expect(run.status).toBe("COMPLETED");
    },
  );

  test("but only once it is final: attempts that are left come first", () => {
    const run = new Run(fork()).fail("a", Outcome.RETRYABLE_FAILURE);
    expect(run.stages).toEqual({ a: "READY", b: "PENDING", c: "PENDING" });
    run.fail("a", Outcome.RETRYABLE_FAILURE);
    expect(run.stages).toEqual({ a: "FAILED", b: "SKIPPED", c: "READY" });
  });

  test("a dispatch that nobody answered is one too", () => {
    const run = new Run(fork({ maxAttempts: 1 })).send("a");
    run.apply({ kind: "lease-lost", ...run.fence("a"), leaseExpiredAt: 0 });
    expect(run.stages).toEqual({ a: "FAILED", b: "SKIPPED", c: "READY" });
  });

  test("without such an edge the strategy decides as ever", () => {
    const stages = [stage("a", { edges: { b: "" } }), stage("b")];
    expect(new Run(stages, { strategy: FailureStrategy.FAIL_FAST }).fail("a").status).toBe("FAILED");
    expect(new Run(stages, { strategy: FailureStrategy.PAUSE }).fail("a").question("a").cause).toBe(
      "stage-failed",
    );
  });

  test("a rewind takes back what was decided, and decides it anew", () => {
    const run = new Run(fork()).send("a").report("a", failing());
    run.rewind("a");
    expect(run.stages).toEqual({ a: "READY", b: "PENDING", c: "PENDING" });
    run.finish("a");
    expect(run.stages).toEqual({ a: "COMPLETED", b: "READY", c: "SKIPPED" });
  });
});

test("SACP-29 a branch that was not taken is no place to go back to, for a gate and for a person", () => {
  const run = new Run(diamond(StageJoin.ANY)).send("a").report("a", answer("success", { both: false }));
  run.finish("b").send("d");
  const back = run.reportEvent("d", { judgement: verdicts.rejectTo("c") });
  expect(run.refusal(back)).toEqual({ reason: "stage-not-reached", stageId: "c" });
  expect(
    run.refusal({ kind: "rewind", stageId: "c", instructions: "", by: { type: "human", id: "p" } }),
  ).toEqual({
    reason: "stage-not-reached",
    stageId: "c",
  });
  run.report("d", { judgement: verdicts.rejectTo("b") });
  expect(run.stages).toMatchObject({ b: "READY", c: "SKIPPED", d: "PENDING" });
});

test("SACP-27 a template whose edge leads nowhere, round, or by a condition that is none, is not started", () => {
  expect(faultsOf(stage("a", { edges: { z: "" } }))).toEqual([
    { fault: "unknown-target", stageId: "a", target: "z" },
  ]);
  expect(faultsOf(stage("a", { edges: { b: "" } }), stage("b", { edges: { a: "" } }))).toEqual([
    { fault: "cycle", stageIds: ["a", "b"] },
  ]);
  expect(faultsOf(stage("a", { edges: { b: "response.status" } }), stage("b"))).toMatchObject([
    { fault: "condition", stageId: "a", target: "b" },
  ]);
});

test("the runs that are looked at leave branches and handle failures, so that neither goes unseen", () => {
  const samples = fc.sample(
    fc.tuple(anyEdgedDefinition, fc.array(anyStep, { minLength: 20, maxLength: 60 })),
    {
      numRuns: 200,
      seed: 11,
    },
  );
  const ends = samples.flatMap(([definition, steps]) => walk(definition, steps).state.stages);
  const notReached = ends.filter(({ skipReason }) => skipReason === "branch not taken");
  const handled = ends.filter(({ failure, edgesTaken }) => failure !== null && edgesTaken !== null);
  expect([notReached.length > 40, handled.length > 10]).toEqual([true, true]);
});

const ended = (stages: Parameters<typeof definitionOf>[0], data: object) =>
  new Run(stages).send("a").report("a", answer("success", data));

describe("SACP-34 a stage that was done and leads nowhere", () => {
  test("is told with what its answer lacked, where the pipeline ends", () => {
    for (const [data, why] of [
      [{}, "No such key: score"],
      [{ score: 0.5 }, "response.data.score > 0.8"],
    ] as const) {
      const run = ended(scored("response.data.score > 0.8"), data);
      expect([run.status, run.facts.at(-1)?.rationale]).toEqual([
        "COMPLETED",
        `Every stage is over; no way led on from "a": not to "b" (${why})`,
      ]);
    }
  });

  test.each([
    ['response.status == "success" && response.data.n > 10.0', true],
    ['response.data.n > 10.0 && response.status == "success"', true],
    ['response.status != "failure" && response.data.n > 10.0', true],
    ['!(response.status == "failure" || response.data.n < 10.0)', true],
    ['response.status == "success" ? response.data.n > 10.0 : true', true],
    ['result.outcome == "SUCCESS" && response.message == "other"', true],
    ['response.status == "success" && response.data.missing > 10.0', true],
    ['response.status == "completed"', true],
    ['response.status == "completed" && response.data.n > 10.0', true],
    ['response.next_step_hint == "x"', true],
    ['response.status == "success" && !response.status.contains("🙂") && response.data.n > 10.0', true],
    ['response.status == "success" && 1e21 > 1.0 && response.data.n > 10.0', true],
    ['true == (response.status == "success") && response.data.n > 10.0', true],
    ["10 - (3 - size(response.status)) > 10 && response.data.n > 10.0", true],
    ['response.status == "success" && 0.0000000001 > 0.0 && response.data.n > 10.0', true],
    ['response.status == "failure"', false],
    ['response.status != "success"', false],
    ['response.status in ["failure", "clarification_needed"]', false],
    ['["failure"].exists(one, one == response.status)', false],
    ['result.outcome != "SUCCESS"', false],
    ['result.outcome == "PARTIAL"', false],
    ['response.status == "failure" && response.data.code == "GONE"', false],
    ['response.data.code == "GONE" && response.status == "failure"', false],
    ['response.status == "success" ? false : response.data.n > 10.0', false],
    ['response.status == "completed" || response.status == "failure"', false],
  ])("has a way that was shut, by %s: %s", (condition, isTold) => {
    const run = ended(scored(condition), { n: 1 });
    expect(run.stages).toEqual({ a: "COMPLETED", b: "SKIPPED" });
    expect(run.facts.at(-1)?.rationale?.includes('no way led on from "a": not to "b"')).toBe(isTold);
  });

  test("is told only of its ways on, beside a handler", () => {
    const stages = [
      stage("a", { edges: { b: 'response.status == "success" && response.data.n > 10.0', c: onFailure } }),
      stage("b"),
      stage("c"),
    ];
    expect(ended(stages, { n: 1 }).facts.at(-1)?.rationale).toBe(
      'Every stage is over; no way led on from "a": not to "b" (response.status == "success" && response.data.n > 10.0)',
    );
  });

  test("is not one whose only ways are for another end, nor one of which a way was taken", () => {
    const handled = ended([stage("a", { edges: { b: onFailure } }), stage("b")], {});
    expect(handled.facts.at(-1)?.rationale).toBe("Every stage is over");
    const onward = ended(scored("response.data.score > 0.8"), { score: 0.9 }).finish("b");
    expect(onward.facts.at(-1)?.rationale).toBe("Every stage is over");
  });
});
