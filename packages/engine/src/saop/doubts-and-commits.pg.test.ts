import { AuditEventType } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rewindPipeline } from "../orchestrator/person-commands.ts";
import { listAudit } from "../read-audit.ts";
import { template } from "../testing/documents.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { answer, endOf, openQuestions, questionOf, stateOf, submitTemplate } from "../testing/pipelines.ts";
import { chain, prepare } from "../testing/prepare.ts";
import { pulse, turn } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { readEvents } from "./read-events.ts";
import { readTurns } from "./read-turns.ts";
import { reportEvents } from "./report-events.ts";
import { reportTurn } from "./report-turn.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeAll(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine, { templates: [watched, chain()] });
  agent = workByHand(opened.engine, "builder");
  await agent.beat({ capacity: { maxTasks: 100 } });
});
afterAll(() => opened.end());

const asked = askedBy("agent");
const viewer = askedBy("viewer");

const watched = template("watched", [
  { id: "a", taskType: "build", extra: { confidence_watch: { floor: 0.3, fall_per_turn: 0.1 } } },
  { id: "b", taskType: "check", after: ["a"] },
]);

/** What other tests left to be done is taken by the way. */
async function takeOf(pipelineId: string) {
  for (;;) {
    const envelope = await agent.takeOne();
    if (idOf(envelope).startsWith(pipelineId)) return envelope;
  }
}

async function atWork(templateId: string) {
  const pipelineId = await submitTemplate(opened.engine, templateId);
  const envelope = await takeOf(pipelineId);
  return { pipelineId, envelope, dispatchId: idOf(envelope) };
}

const report = (dispatchId: string, confidences: readonly number[], from = 0) =>
  Promise.all(
    confidences.map((confidence, index) =>
      reportTurn(opened.engine, asked, dispatchId, turn(from + index, { confidence })),
    ),
  );

test("D17 a falling trend asks a person, once, in the transaction that keeps the turn; the attempt goes on", async () => {
  const { pipelineId, envelope, dispatchId } = await atWork("watched");
  await report(dispatchId, [0.9, 0.8, 0.7, 0.6]);
  expect(await openQuestions(opened.engine)).toEqual([]);
  await report(dispatchId, [0.5], 4);
  const question = await questionOf(opened.engine, pipelineId, "a");
  expect(question).toMatchObject({ cause: "low-confidence", blocking: false, attemptNumber: 1 });
  expect(question.problem).toContain("falls by 0.1 a turn");
  const [row] = await readRows(
    opened.made.url,
    `select count(distinct t.xmin::text) as transactions from (
       select xmin from signalbox.turns where pipeline_id = '${pipelineId}' and turn_index = 4
       union all select xmin from signalbox.escalations where pipeline_id = '${pipelineId}') t`,
  );
  expect(Number(row?.["transactions"])).toBe(1);
  await answer(opened.engine, question, { option: "resume" });
  await report(dispatchId, [0.1, 0.05], 5);
  expect(await openQuestions(opened.engine)).toEqual([]);
  expect((await readTurns(opened.engine, viewer, { pipelineId })).turns).toHaveLength(7);
  await agent.report(envelope);
  expect(await endOf(opened.engine, question)).toMatchObject({ kind: "resolved" });
});

test("D17 SAOP-22 a turn below the floor asks also where it comes after five later ones", async () => {
  const { pipelineId, envelope, dispatchId } = await atWork("watched");
  await report(dispatchId, [0.9, 0.9, 0.9, 0.9, 0.9], 1);
  await report(dispatchId, [0.2], 0);
  const question = await questionOf(opened.engine, pipelineId, "a");
  expect(question.problem).toContain("At turn 0 the agent's confidence is 0.2");
  await agent.report(envelope);
});

test("D17 a turn below the floor asks; the end of the attempt closes the question", async () => {
  const { pipelineId, envelope, dispatchId } = await atWork("watched");
  const first = await reportTurn(opened.engine, asked, dispatchId, turn(0, { confidence: 0.2 }));
  expect(await reportTurn(opened.engine, asked, dispatchId, turn(0, { confidence: 0.2 }))).toEqual(first);
  const question = await questionOf(opened.engine, pipelineId, "a");
  await agent.report(envelope);
  expect(await endOf(opened.engine, question)).toEqual({ kind: "superseded", why: "attempt-ended" });
});

test("D17 a template that sets nothing asks nobody", async () => {
  const { pipelineId, dispatchId } = await atWork("chain");
  await report(dispatchId, [0.9, 0.7, 0.5, 0.3, 0.1, 0]);
  expect((await stateOf(opened.engine, pipelineId)).escalations).toEqual([]);
  expect((await readTurns(opened.engine, viewer, { pipelineId })).turns).toHaveLength(6);
});

const committed = (gitHash: string): Event => ({
  ...pulse(""),
  payload: {
    type: "TASK_TRANSITION",
    task_id: "t-1",
    from_state: "editing",
    to_state: "committed",
    git_hash: gitHash,
    timestamp: "2026-02-21T09:30:00Z",
  },
});

test("TAS-114 a rewound attempt is told the commit to return to, and the transitions carry what agents named", async () => {
  const { pipelineId, envelope, dispatchId } = await atWork("chain");
  const hash = "9fceb02d0ae598e95dc970b74767f19372d61af8";
  await reportEvents(opened.engine, asked, dispatchId, [committed(hash)]);
  await reportEvents(opened.engine, asked, dispatchId, [committed(hash)]);
  await agent.report(envelope);
  const second = await takeOf(pipelineId);
  await reportEvents(opened.engine, asked, idOf(second), [committed("0123abc")]);
  await rewindPipeline(opened.engine, askedBy("operator"), {
    pipelineId,
    stageId: "b",
    instructions: "anew",
  });
  const again = await takeOf(pipelineId);
  expect(idOf(again)).toBe(`${pipelineId}-d1.2`);
  expect(JSON.stringify(again.contextIn)).toContain(`Return to commit ${hash} before you begin.`);
  const { events } = await readEvents(opened.engine, viewer, { pipelineId, type: "TASK_TRANSITION" });
  const own = events
    .filter(({ dispatchId: by }) => by === null)
    .map(({ stageId, event }) => [stageId, Object(Reflect.get(Object(event), "payload"))])
    .map(([stageId, { to_state, git_hash }]) => [stageId, to_state, git_hash]);
  expect(own).toEqual([
    [null, "RUNNING", undefined],
    ["a", "READY", undefined],
    ["a", "DISPATCHED", undefined],
    ["a", "COMPLETED", hash],
    ["b", "READY", undefined],
    ["b", "DISPATCHED", undefined],
    ["b", "REJECTED", "0123abc"],
    ["b", "READY", hash],
    ["b", "DISPATCHED", hash],
  ]);
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), {
    pipelineId,
    eventType: AuditEventType.COMMIT_NOTED,
  });
  expect(entries).toHaveLength(2);
});
