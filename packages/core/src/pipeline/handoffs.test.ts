import { create } from "@bufbuild/protobuf";
import { AuditEventType, ContextOutSchema, StageStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { MAX_HANDOFFS } from "./events/handoff-requested.ts";
import { stage } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

function ask(run: Run, allowed = true): Run {
  return run.send("a").apply({
    kind: "handoff-requested",
    ...run.fence("a"),
    to: { taskType: null, packId: "specialist" },
    context: "needs a specialist",
    contextOut: create(ContextOutSchema, { risksIdentified: ["the lock"] }),
    verdict: { allowed, why: allowed ? "rule 3" : "no rule allows it" },
  });
}

test("HAND-1 D24 approved, the stage is READY for the other, outside every budget, with the context", () => {
  const run = ask(new Run([stage("a", { maxAttempts: 1 })], { maxTotalRetries: 0 }));
  expect(run.stage("a")).toMatchObject({
    status: StageStatus.READY,
    attemptNumber: 2,
    retriesUsed: 0,
    dispatch: null,
    reroute: { taskType: null, packId: "specialist" },
    priorContextOut: { risksIdentified: ["the lock"] },
    feedback: [{ kind: "handoff", text: "needs a specialist", by: { type: "agent", id: "pack-1" } }],
  });
  expect(run.cancelled()).toEqual([]);
  expect(run.latest).toContainEqual({
    kind: "answer-handoff",
    dispatchId: "d1",
    approved: true,
    why: "rule 3",
  });
});

test("HAND-2 refused, the agent is told why and goes on; request and answer are on record", () => {
  const run = ask(new Run([stage("a")]), false);
  expect(run.stages).toEqual({ a: "DISPATCHED" });
  expect(run.latest).toContainEqual({
    kind: "answer-handoff",
    dispatchId: "d1",
    approved: false,
    why: "no rule allows it",
  });
  expect(run.facts.slice(-2).map(({ eventType }) => eventType)).toEqual([
    AuditEventType.HANDOFF_REQUESTED,
    AuditEventType.HANDOFF_REFUSED,
  ]);
  expect(run.report("a").status).toBe("COMPLETED");
});

test("HAND-3 a stage is handed on a bounded number of times", () => {
  const run = new Run([stage("a")]);
  for (let handoff = 0; handoff < MAX_HANDOFFS; handoff += 1) ask(run);
  expect(ask(run).stages).toEqual({ a: "DISPATCHED" });
  expect(run.latest.at(-1)).toMatchObject({ kind: "answer-handoff", approved: false });
});

test("HAND-5 handed to a pack alone, the stage stays what an earlier handoff made it", () => {
  const run = new Run([stage("a")]);
  const handTo = (to: { taskType: string | null; packId: string | null }) =>
    run.send("a").apply({
      kind: "handoff-requested",
      ...run.fence("a"),
      to,
      context: "as agreed",
      contextOut: null,
      verdict: { allowed: true, why: "a rule" },
    });
  handTo({ taskType: "other-work", packId: null });
  handTo({ taskType: null, packId: "specialist" });
  expect(run.stage("a").reroute).toEqual({ taskType: "other-work", packId: "specialist" });
});
