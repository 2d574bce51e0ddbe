import { FailureStrategy, Outcome, PipelineStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { followingStatuses, isFinal, isWhole, sapStandingMoved, sapStatusOf } from "./status.ts";
import { answered, onFailure, resultOf } from "./testing/results.ts";

test("SAP-20 a status for every standing of a pipeline", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"], required: false })]);
  expect(sapStatusOf(run.state)).toBe("QUEUED");
  expect(sapStatusOf(run.pause().state)).toBe("QUEUED");
  expect(sapStatusOf(run.resume().send("a").state)).toBe("RUNNING");
  expect(sapStatusOf(run.pause().state)).toBe("RUNNING");
  run.resume().report("a", { judgement: verdicts.ask });
  expect(sapStatusOf(run.state)).toBe("ESCALATED");
  run.resolve("a", { option: "advance" });
  expect(sapStatusOf(run.state)).toBe("RUNNING");
  expect(sapStatusOf(run.finish("b").state)).toBe("SUCCEEDED");
  expect(sapStatusOf({ ...run.state, status: PipelineStatus.ABORTED })).toBe("CANCELLED");
});

test("SAP-20 left out is PARTIAL; a branch that was not taken is not", () => {
  const skipped = new Run([stage("a"), stage("b", { required: false })], {
    strategy: FailureStrategy.SKIP_FAILED,
  });
  skipped.fail("b").finish("a");
  expect(sapStatusOf(skipped.state)).toBe("PARTIAL");
  expect(resultOf(skipped).nextActions).toMatchObject([
    { action: "submit_task", target: { capability: "b-work" }, payload: { stageId: "b" } },
  ]);
  const branched = new Run([
    stage("a", { edges: { b: 'response.status == "failure"' } }),
    stage("b", { dependsOn: ["a"], required: false }),
  ]);
  branched.finish("a");
  expect(branched.stages).toEqual({ a: "COMPLETED", b: "SKIPPED" });
  expect(sapStatusOf(branched.state)).toBe("SUCCEEDED");
});

test("SAP-21 nothing follows what is final, and a pipeline only ever goes where it may", () => {
  expect(
    Object.keys(followingStatuses).filter((status) => isFinal(status as keyof typeof followingStatuses)),
  ).toEqual(["SUCCEEDED", "FAILED", "CANCELLED", "PARTIAL"]);
  const run = new Run([stage("a", { maxAttempts: 3 })]);
  const seen = [sapStatusOf(run.state)];
  const step = (go: () => unknown) => {
    go();
    const next = sapStatusOf(run.state);
    if (next !== seen.at(-1)) seen.push(next);
  };
  step(() => run.send("a"));
  step(() => run.report("a", { judgement: verdicts.retry }));
  step(() => run.send("a").report("a", { judgement: verdicts.clarify }));
  step(() => run.resolve("a", { option: "answer", answer: "the first" }));
  step(() => run.finish("a"));
  expect(seen).toEqual(["QUEUED", "RUNNING", "ESCALATED", "RUNNING", "SUCCEEDED"]);
  for (const [index, status] of seen.slice(1).entries())
    expect(followingStatuses[seen[index] ?? "QUEUED"]).toContain(status);
});

test("SAP-25 another question is reported, though the status is the same", () => {
  const run = new Run([stage("a"), stage("b")]).send("a", "b").report("a", { judgement: verdicts.ask });
  const asked = run.state;
  expect(sapStandingMoved(asked, run.report("b", { judgement: verdicts.ask }).state)).toBe(true);
  const both = run.state;
  expect([sapStatusOf(both), sapStandingMoved(both, both)]).toEqual(["ESCALATED", false]);
  run.resolve("a", { option: "retry", instructions: "again" });
  const retried = run.state;
  run.send("a");
  expect(sapStandingMoved(retried, run.state)).toBe(false);
  run.report("a", { judgement: verdicts.ask });
  expect(sapStatusOf(run.state)).toBe("ESCALATED");
  expect(resultOf(run).nextActions?.map(({ escalationId }) => escalationId)).toEqual(["pl-1-e2", "pl-1-e3"]);
  expect(sapStandingMoved({ ...both, status: run.state.status }, run.state)).toBe(true);
});

const branched = () => new Run([stage("a", { edges: { b: "", ...onFailure } }), stage("b"), stage("h")]);

test("SAP-45 whole is what was done on the way that was taken, and all of it", () => {
  const edges = { b: "response.data.score > 0.8" };
  expect(isWhole(branched().state)).toBe(false);
  expect(isWhole(branched().finish("a", "b").state)).toBe(true);
  const short = new Run([stage("a", { edges }), stage("b")]).send("a");
  expect(isWhole(short.report("a", answered({ score: 0.5 })).state)).toBe(false);
  const part = new Run([stage("a")]).send("a");
  part.report("a", { outcome: Outcome.PARTIAL, judgement: verdicts.ask }).resolve("a", { option: "advance" });
  expect(isWhole(part.state)).toBe(false);
  const skipped = new Run([stage("a", { required: false })], { strategy: FailureStrategy.SKIP_FAILED });
  expect(isWhole(skipped.fail("a").state)).toBe(false);
});
