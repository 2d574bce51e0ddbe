import { create } from "@bufbuild/protobuf";
import {
  ArtifactAction,
  ContextInSchema,
  ContextPropagationMode,
  Outcome,
  RefType,
  type ContextIn,
} from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approver, stage, type StageOptions, verdicts } from "../testing/definitions.ts";
import { Run } from "../testing/run.ts";
import { contextLimits, propagateContext, type PropagatedContext } from "./propagate-context.ts";

const { NONE, PREVIOUS, CUMULATIVE } = ContextPropagationMode;
type Propagation = StageOptions["propagation"];

const contextOut = (name: string) => ({
  decisionsMade: [{ decisionId: `${name}-1`, description: `${name} decided`, rationale: "good" }],
  risksIdentified: [`${name} may break`],
  assumptionsMade: [`${name} assumed`],
  rollbackNotes: `revert ${name}`,
});

/** first → second → last, with everything that a stage can hand on. */
function finishedBut(last: Propagation): Run {
  const run = new Run([
    stage("first"),
    stage("second", { dependsOn: ["first"] }),
    stage("last", { dependsOn: ["second"], ...(last === undefined ? {} : { propagation: last }) }),
  ]);
  for (const name of ["first", "second"]) {
    run.send(name).report(name, {
      init: {
        contextOut: contextOut(name),
        artifacts: [{ path: `${name}.ts`, digest: `sha256:${name}` }],
        response: {
          thought: `secret thought of ${name}`,
          status: "success",
          message: `${name} is done`,
          data: { z: 1, a: { list: [1, 2] }, text: name },
        },
      },
    });
  }
  return run;
}

function contextOf(run: Run, stageId = "last", task?: ContextIn): PropagatedContext {
  const context = propagateContext(run.state, stageId, task);
  if (context === undefined) throw new Error(`no stage ${stageId}`);
  return context;
}

const everything = { carryArtifacts: true, carryDecisions: true, carryRisks: true };
const task = create(ContextInSchema, {
  sharedContext: "the house rules",
  taskDelta: "only this module",
  decisionMemo: { decisions: [{ decisionId: "0", description: "use Postgres" }] },
  criticalSnippets: [{ path: "a.ts", content: "x" }],
  unresolvedAssumptions: ["nobody else writes"],
});

test("CARRY-1 NONE brings what the task brought, and nothing of other stages", () => {
  const { contextIn, refs, leftOut } = contextOf(finishedBut({ mode: NONE, ...everything }), "last", task);
  expect(contextIn).toEqual(task);
  expect([refs, leftOut]).toEqual([[], []]);
});

test("CARRY-2 PREVIOUS brings the direct dependencies, after what the task brought", () => {
  const { contextIn, refs } = contextOf(finishedBut({ mode: PREVIOUS, ...everything }), "last", task);
  expect(contextIn.sharedContext).toMatch(
    /^the house rules\n\nRisks that stage "second" saw:\n- second may break/,
  );
  expect(contextIn.sharedContext).not.toContain("first");
  expect(contextIn.decisionMemo?.decisions.map(({ decisionId }) => decisionId)).toEqual(["0", "second-1"]);
  expect(contextIn.unresolvedAssumptions).toEqual(["nobody else writes", "second assumed"]);
  expect(refs).toMatchObject([
    { uriOrLocator: "second.ts", digest: "sha256:second", refType: RefType.ARTIFACT },
  ]);
});

test("CARRY-3 CUMULATIVE brings all completed stages, decisions and references in stage order", () => {
  const { contextIn, refs } = contextOf(finishedBut({ mode: CUMULATIVE, ...everything }));
  expect(contextIn.decisionMemo?.decisions.map(({ decisionId }) => decisionId)).toEqual([
    "first-1",
    "second-1",
  ]);
  expect(contextIn.unresolvedAssumptions).toEqual(["first assumed", "second assumed"]);
  expect(refs.map(({ uriOrLocator }) => uriOrLocator)).toEqual(["first.ts", "second.ts"]);
  const { sharedContext } = contextIn;
  expect(sharedContext.indexOf("second may break")).toBeLessThan(sharedContext.indexOf("first may break"));
});

test("CARRY-4 without flags only assumptions and rollback notes come", () => {
  const { contextIn, refs } = contextOf(finishedBut({ mode: PREVIOUS }));
  expect(contextIn.sharedContext).toBe('rollback_notes of stage "second":\nrevert second');
  expect(contextIn.decisionMemo?.decisions).toEqual([]);
  expect(contextIn.unresolvedAssumptions).toEqual(["second assumed"]);
  expect(refs).toEqual([]);
});

test("CARRY-4 carry_fields adds by name, data by path with its keys in order; a thought is never carried", () => {
  const carryFields = ["message", "data.a", "data.text", "data.none", "thought", "__proto__"];
  const { contextIn } = contextOf(finishedBut({ mode: PREVIOUS, carryFields }));
  expect(contextIn.sharedContext.split("\n\n")).toEqual([
    'message of stage "second":\nsecond is done',
    'data.a of stage "second":\n{"list":[1,2]}',
    'data.text of stage "second":\nsecond',
    'Stage "second" gave no data.none.',
    'Stage "second" gave no thought.',
    'Stage "second" gave no __proto__.',
    'rollback_notes of stage "second":\nrevert second',
  ]);
  const whole = contextOf(finishedBut({ mode: PREVIOUS, carryFields: ["data"] }));
  expect(whole.contextIn.sharedContext).toContain('{"a":{"list":[1,2]},"text":"second","z":1}');
});

test("CARRY-5 of one path the last word counts, and a deleted artifact is not referred to", () => {
  const propagation = { mode: CUMULATIVE, carryArtifacts: true };
  const run = new Run([
    stage("a"),
    stage("b", { dependsOn: ["a"] }),
    stage("c", { dependsOn: ["b"], propagation }),
  ]);
  run.send("a").report("a", {
    init: { artifacts: [{ path: "kept", digest: "1" }, { path: "gone" }, { path: "" }] },
  });
  run.send("b").report("b", {
    init: {
      artifacts: [
        { path: "gone", action: ArtifactAction.DELETED },
        { path: "kept", digest: "2" },
      ],
    },
  });
  expect(contextOf(run, "c").refs).toMatchObject([{ uriOrLocator: "kept", digest: "2" }]);
});

test("CARRY-7 a sent-back attempt sees instructions, then evidence, then what was tried", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  run.send("a").report("a", { init: { contextOut: contextOut("a") } });
  run.send("b").report("b", { judgement: verdicts.rejectTo("a") });
  const { contextIn, feedback } = contextOf(run, "a", task);
  expect(feedback.split("\n\n")).toEqual([
    "Attempt 1 was sent back. What to do:\ndo it otherwise",
    'Check "tests" failed on attempt 1:\n1 of 9 failed',
    "What the last attempt tried:\n- decided: a decided (good)\n- risk: a may break\n- assumed: a assumed\n- to undo it: revert a",
  ]);
  expect(contextIn.taskDelta).toBe(`${feedback}\n\nonly this module`);
});

test("CARRY-7 D12 an answer stands beside its question, and the newest advice comes first", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })]);
  run.send("a").report("a", { outcome: Outcome.SUCCESS, judgement: verdicts.clarify });
  run.resolve("a", { option: "answer", answer: "the second" });
  run.send("a").report("a", { judgement: verdicts.retry });
  expect(contextOf(run, "a").feedback.split("\n\n").slice(0, 2)).toEqual([
    "Attempt 2 did not pass. What to do:\nmend the test",
    "Attempt 1 asked a question, and this is the answer:\nQuestion: Which of the two?\nAnswer: the second",
  ]);
});

const partly = () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).finish("a").send("b");
  return run.report("b", { outcome: Outcome.PARTIAL, judgement: verdicts.ask });
};
const told = (run: Run, stageId: string) => contextOf(run, stageId).feedback.split("\n\n")[0];
const back = (instructions: string) =>
  told(partly().resolve("b", { option: "rewind", stageId: "a", instructions }), "a");

describe("ATTEMPT-6 what a person was asked about is told to the attempt that follows from their answer", () => {
  test("sent back, with instructions and without", () => {
    expect(back("")).toBe("Attempt 1 was sent back.\nWhy: Is this enough?");
    expect(back("mind b")).toBe("Attempt 1 was sent back. What to do:\nmind b\nWhy: Is this enough?");
  });

  test("tried again, after a gate asked and after it failed", () => {
    const again = partly().resolve("b", { option: "retry", instructions: "" });
    expect(told(again, "b")).toBe("Attempt 1 did not pass.\nWhy: Is this enough?");
    const failed = new Run([stage("a")]).fail("a").resolve("a", { option: "retry", instructions: "" });
    expect(told(failed, "a")).toMatch(/^Attempt \d did not pass\.\nWhy: Stage "a" failed: /);
  });

  test("sent back by who did not answer", () => {
    const run = partly().apply({ kind: "rewind", stageId: "a", instructions: "", by: approver });
    expect(told(run, "a")).toBe("Attempt 1 was sent back.\nWhy: Is this enough?");
  });

  test("and nothing where nobody was asked", () => {
    const run = new Run([stage("a")]).send("a");
    run.apply({ kind: "rewind", stageId: "a", instructions: "", by: approver });
    expect(contextOf(run, "a").feedback).toBe("");
  });
});

test("a stage that is not in the pipeline has no context", () => {
  expect(propagateContext(new Run([stage("a")]).state, "nowhere", undefined)).toBeUndefined();
});

const anyText = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer({ min: 0, max: 1_500 }))
  .map(([unit, times]) => unit.repeat(times));

test("CARRY-6 CARRY-8 whatever stages hand on, the context fits the contract, says what is missing, and is the same twice", () => {
  const anyOutput = fc.record({ risk: anyText, notes: anyText, evidence: anyText, advice: anyText });
  fc.assert(
    fc.property(anyText, anyText, anyText, anyOutput, (shared, delta, snippet, output) => {
      const run = new Run([
        stage("a"),
        stage("b", { dependsOn: ["a"], propagation: { mode: CUMULATIVE, carryRisks: true } }),
      ]);
      const out = {
        risksIdentified: [output.risk],
        rollbackNotes: output.notes,
        assumptionsMade: [output.risk],
      };
      run
        .send("a")
        .report("a", { init: { contextOut: out } })
        .send("b");
      const gate = { checks: [{ gateName: "tests", passed: false, evidence: output.evidence }] };
      run.report("b", { judgement: { ...verdicts.retry, gate, instructions: output.advice } });
      const given = create(ContextInSchema, {
        sharedContext: shared,
        taskDelta: delta,
        criticalSnippets: [{ path: "p", content: snippet }],
      });
      const before = structuredClone(run.state);
      const context = contextOf(run, "b", given);
      expect(run.state).toEqual(before);
      expect(contextOf(run, "b", given)).toEqual(context);
      expectBounded(context);
    }),
    { numRuns: 150 },
  );
});

function expectBounded({ contextIn, feedback, leftOut }: PropagatedContext): void {
  const { sharedContext, taskDelta, criticalSnippets } = contextIn;
  const snippet = criticalSnippets[0]?.content ?? "";
  expect(sharedContext.length).toBeLessThanOrEqual(contextLimits.sharedContext);
  expect(taskDelta.length).toBeLessThanOrEqual(contextLimits.taskDelta);
  expect(feedback.length).toBeLessThanOrEqual(contextLimits.taskDelta);
  expect(snippet.length).toBeLessThanOrEqual(contextLimits.snippet);
  for (const text of [sharedContext, taskDelta, feedback, snippet]) expect(text.isWellFormed()).toBe(true);
  const mark = /characters left out\]|\[Left out for length: /u;
  expect([sharedContext, taskDelta, snippet].some((text) => mark.test(text))).toBe(leftOut.length > 0);
  expect(leftOut.every(({ characters }) => characters > 0)).toBe(true);
}
