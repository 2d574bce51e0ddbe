import { StageStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { feedbackPassages } from "./context/feedback-passages.ts";
import { approver, reporter, stage, verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const chain = () => new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
const note = (run: Run, stageId: string, gitHash: string) =>
  run.apply({ kind: "commit-noted", by: reporter, gitHash, ...run.fence(stageId) });
const hashesOf = (run: Run) =>
  run.latest.flatMap((effect) =>
    effect.kind === "stage-transition" ? [[effect.stageId, effect.gitHash]] : [],
  );
const textFor = (run: Run, stageId: string) =>
  feedbackPassages(run.stage(stageId))
    .map(({ text }) => text)
    .join("\n");
const rewind = (run: Run, stageId: string) =>
  run.apply({ kind: "rewind", stageId, instructions: "anew", by: approver });

test("COMMIT-1 a commit is kept with its entry, and its stage's transitions carry it", () => {
  const run = chain().send("a");
  note(run, "a", "aaaaaaa");
  note(run, "a", "bbbbbbb");
  expect(run.stage("a").commit).toEqual({ first: "aaaaaaa", head: "bbbbbbb", notedAt: run.now });
  const entries = run.facts.length;
  note(run, "a", "bbbbbbb");
  expect(run.facts).toHaveLength(entries);
  run.report("a");
  expect(hashesOf(run)).toEqual([
    ["a", "bbbbbbb"],
    ["b", null],
  ]);
});

test("COMMIT-2 only the current attempt names one, also after its result was taken", () => {
  const run = chain().send("a");
  const fence = run.fence("a");
  run.report("a");
  const late = { kind: "commit-noted", by: reporter, gitHash: "ccccccc", ...fence } as const;
  expect(run.apply(late).stage("a").commit?.head).toBe("ccccccc");
  rewind(run, "a");
  expect(run.refusal(late)).toMatchObject({ reason: "stale-dispatch" });
});

test("COMMIT-3 a stage that goes back begins at what the stages before it left", () => {
  const run = chain().send("a");
  note(run, "a", "aaaaaaa");
  run.report("a").send("b");
  note(run, "b", "bbbbbbb");
  rewind(run, "b");
  expect(run.stage("b").commit?.head).toBe("aaaaaaa");
  expect(hashesOf(run).at(-1)).toEqual(["b", "aaaaaaa"]);
});

test("COMMIT-3 the first stage begins at the first commit that it named itself, and else nothing is known", () => {
  const run = chain().send("a");
  note(run, "a", "aaaaaaa");
  note(run, "a", "bbbbbbb");
  run
    .report("a")
    .send("b")
    .report("b", { judgement: verdicts.rejectTo("a") });
  expect(run.stage("a").commit).toMatchObject({ first: "aaaaaaa", head: "aaaaaaa" });
  expect(run.stage("b")).toMatchObject({ status: StageStatus.PENDING, commit: null });
  const silent = rewind(chain().finish("a"), "a");
  expect(silent.stage("a").commit).toBeNull();
});

test("COMMIT-4 an attempt that is not the first is told the commit to return to, where one is known", () => {
  const run = chain().send("a");
  note(run, "a", "aaaaaaa");
  expect(textFor(run, "a")).toBe("");
  rewind(run, "a");
  expect(textFor(run, "a")).toContain("Return to commit aaaaaaa before you begin.");
  expect(textFor(rewind(chain().finish("a"), "a"), "a")).not.toContain("commit");
});
