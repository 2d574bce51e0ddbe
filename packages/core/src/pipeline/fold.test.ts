import { expect, test } from "vitest";
import { applyChange } from "./apply-change.ts";
import { foldPipeline } from "./fold.ts";
import { stage, verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const finished = () =>
  new Run([stage("a"), stage("b", { dependsOn: ["a"] })])
    .finish("a")
    .send("b")
    .report("b", { judgement: verdicts.rejectTo("a") })
    .finish("a", "b");

test("FOLD-1 the record of a finished pipeline gives the pipeline", () => {
  const run = finished();
  expect(foldPipeline(run.facts)).toStrictEqual({ kind: "folded", state: run.state });
  expect(foldPipeline(structuredClone(run.facts))).toEqual({ kind: "folded", state: run.state });
});

test("FOLD-2 a record without its beginning, with a fact twice, or about other stages, is broken", () => {
  const { facts } = finished();
  expect(foldPipeline([])).toEqual({ kind: "broken", afterRevision: 0, why: "no-beginning" });
  expect(foldPipeline(facts.slice(1))).toEqual({ kind: "broken", afterRevision: 0, why: "no-beginning" });
  expect(foldPipeline([...facts, ...facts.slice(2, 3)])).toEqual({
    kind: "broken",
    afterRevision: 3,
    why: "gap",
  });
  const sent = facts.find(({ action }) => action === "dispatch.sent");
  if (sent === undefined) throw new Error("nothing was sent");
  const elsewhere = { ...sent, changes: [{ kind: "stage", stageId: "nowhere", set: {} } as const] };
  const foreign = facts.map((fact) => (fact === sent ? elsewhere : fact));
  expect(foldPipeline(foreign)).toEqual({ kind: "broken", afterRevision: 2, why: "unknown-stage" });
});

test("FOLD-2 nothing is created twice", () => {
  const { state } = finished();
  expect(applyChange(state, { kind: "created", plan: state.plan, startedAt: 0 })).toBeUndefined();
});
