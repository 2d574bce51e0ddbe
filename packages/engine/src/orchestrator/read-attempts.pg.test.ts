import { SignalboxError } from "@signalbox/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAttemptEvents, readAttemptTurns, readConfidences } from "../saop/read-attempt-work.ts";
import { reportEvents } from "../saop/report-events.ts";
import { reportTurn } from "../saop/report-turn.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { submitTemplate } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { failedEvidence } from "../testing/results.ts";
import { pulse, toolCall, turn } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, seedTenant, type TestEngine } from "../testing/test-engine.ts";
import { getAttempt, listAttempts } from "./read-attempts.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeAll(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  await seedTenant(opened.engine.database, "elsewhere");
  agent = workByHand(opened.engine, "builder");
  await agent.beat({ capacity: { maxTasks: 100 } });
});
afterAll(() => opened.end());

const viewer = askedBy("viewer");
const asked = askedBy("agent");

async function atWork() {
  const pipelineId = await submitTemplate(opened.engine, "chain");
  const envelope = await agent.takeOne();
  return { pipelineId, envelope, dispatchId: idOf(envelope) };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no refusal",
    (error: unknown) => (error instanceof SignalboxError ? error.code : error),
  );

describe("attempts", () => {
  test("come by stage and number, each with how it went: failed at the gate, passed, at work", async () => {
    const { pipelineId, envelope } = await atWork();
    await agent.report(envelope, failedEvidence);
    await agent.work("a");
    await agent.takeOne();
    const attempts = await listAttempts(opened.engine, viewer, pipelineId);
    expect(
      attempts.map(({ dispatchId, standing, outcome, atWork: isAtWork }) => ({
        dispatchId: dispatchId.replace(pipelineId, ""),
        standing,
        verdict: outcome?.verdict,
        atWork: isAtWork,
      })),
    ).toEqual([
      { dispatchId: "-d0.1", standing: "counted", verdict: "retry", atWork: false },
      { dispatchId: "-d0.2", standing: "counted", verdict: "advance", atWork: false },
      { dispatchId: "-d1.1", standing: null, verdict: undefined, atWork: true },
    ]);
    expect(attempts[0]).toMatchObject({
      stageId: "a",
      packId: "builder",
      instanceId: "builder-1",
      outcome: { outcome: "SUCCESS", confidence: "CONFIDENT" },
    });
  });

  test("one has its envelope, its result, the gate's six checks with their evidence, and its record", async () => {
    const { envelope, dispatchId } = await atWork();
    const before = await getAttempt(opened.engine, viewer, dispatchId);
    expect(before).toMatchObject({ result: null, gate: null, atWork: true });
    expect(before.envelope).toMatchObject({ execution: { dispatchId }, contract: { taskId: "t-1" } });
    await agent.report(envelope, failedEvidence);
    const { gate, result, steps } = await getAttempt(opened.engine, viewer, dispatchId);
    expect(gate?.standing).toBe("failed");
    expect(gate?.gate.checks?.map(({ gateName, passed }) => [gateName, passed])).toEqual([
      ["evidence", false],
      ["tests", false],
      ["static", true],
      ["build", true],
      ["scope", true],
      ["safety", true],
    ]);
    for (const { evidence } of gate?.gate.checks ?? []) expect(evidence).not.toBe("");
    expect(result).toMatchObject({ evidence: { items: { items: [{ output: "1 of 9 failed" }] } } });
    expect(steps.map(({ action }) => action)).toEqual([
      "dispatch.decided",
      "dispatch.sent",
      "result.received",
      "result.validated",
      "stage.retried",
    ]);
    await agent.work("a");
    const again = await getAttempt(opened.engine, viewer, dispatchId);
    expect(again.steps).toHaveLength(5);
  });
});

describe("what an attempt reported", () => {
  test("is read in either direction from any place, and each direction says when it ends", async () => {
    const { dispatchId } = await atWork();
    const lines = Array.from({ length: 450 }, (_, index) =>
      pulse(`line ${index}`, {
        turn_index: index < 200 ? 0 : 1,
        sequence: index < 200 ? index : index - 200,
      }),
    );
    await reportEvents(opened.engine, asked, dispatchId, lines);
    const read = (page: Omit<Parameters<typeof readAttemptEvents>[2], "dispatchId">) =>
      readAttemptEvents(opened.engine, viewer, { dispatchId, ...page });
    const linesIn = ({ events }: Awaited<ReturnType<typeof read>>) =>
      events.map(({ event }) => String(Reflect.get(Object(Reflect.get(Object(event), "payload")), "line")));
    const all = lines.map((_, index) => `line ${index}`);

    const first = await read({ direction: "newer" });
    expect(linesIn(first)).toEqual(all.slice(0, 200));
    const second = await read({ direction: "newer", than: first.events.at(-1) });
    const third = await read({ direction: "newer", than: second.events.at(-1) });
    expect([...linesIn(second), ...linesIn(third)]).toEqual(all.slice(200));
    expect([first.more, second.more, third.more]).toEqual([true, true, false]);

    const last = await read({ direction: "older" });
    expect(linesIn(last)).toEqual(all.slice(-200));
    const earlier = await read({ direction: "older", than: last.events[0] });
    expect(linesIn(earlier)).toEqual(all.slice(50, 250));
    expect(last.more).toBe(true);

    const turnOne = await read({ direction: "newer", than: { turnIndex: 1, sequence: -1 } });
    expect(linesIn(turnOne)[0]).toBe("line 200");
  });

  test("is read by type, and a page ends at a megabyte too, but for one event that has more", async () => {
    const { dispatchId } = await atWork();
    await reportEvents(opened.engine, asked, dispatchId, [toolCall({}), pulse("a".repeat(700_000))]);
    await reportEvents(opened.engine, asked, dispatchId, [pulse("b".repeat(700_000)), pulse("end")]);
    const lengths = async (page: Partial<Parameters<typeof readAttemptEvents>[2]>) => {
      const { events, more } = await readAttemptEvents(opened.engine, viewer, {
        dispatchId,
        direction: "newer",
        types: ["SANDBOX_PULSE"],
        ...page,
      });
      return { more, sequences: events.map(({ sequence }) => sequence) };
    };
    expect(await lengths({})).toEqual({ more: true, sequences: [1] });
    expect(await lengths({ than: { turnIndex: 0, sequence: 1 } })).toEqual({
      more: false,
      sequences: [2, 3],
    });
    expect(await lengths({ types: ["TOOL_LIFECYCLE_INVOKED"] })).toEqual({ more: false, sequences: [0] });
  });

  test("of turns comes in their order, page by page, and what all of them claimed at once", async () => {
    const { dispatchId } = await atWork();
    const indices = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(
      indices.map((index) =>
        reportTurn(opened.engine, asked, dispatchId, turn(index, { confidence: index / 100 })),
      ),
    );
    const first = await readAttemptTurns(opened.engine, viewer, { dispatchId });
    const rest = await readAttemptTurns(opened.engine, viewer, { dispatchId, after: 49 });
    expect([...first.turns, ...rest.turns].map(({ turnIndex }) => turnIndex)).toEqual(indices);
    expect([first.more, rest.more]).toEqual([true, false]);
    const last = await readAttemptTurns(opened.engine, viewer, { dispatchId, newest: 3 });
    expect([last.turns.map(({ turnIndex }) => turnIndex), last.more]).toEqual([[57, 58, 59], true]);
    expect(await readConfidences(opened.engine, viewer, dispatchId)).toEqual(
      indices.map((turnIndex) => ({ turnIndex, confidence: turnIndex / 100 })),
    );
  });
});

test("D15 another tenant, an id that names nothing, and who may not read, are refused alike by every reader", async () => {
  const { pipelineId, dispatchId } = await atWork();
  const { engine } = opened;
  const readers = (who: typeof viewer, pipeline: string, dispatch: string) => [
    listAttempts(engine, who, pipeline),
    getAttempt(engine, who, dispatch),
    readAttemptEvents(engine, who, { dispatchId: dispatch, direction: "newer" }),
    readAttemptTurns(engine, who, { dispatchId: dispatch }),
    readConfidences(engine, who, dispatch),
  ];
  const codes = async (...of: Parameters<typeof readers>) => [
    ...new Set(await Promise.all(readers(...of).map(codeOf))),
  ];
  expect(await codes(viewer, pipelineId, dispatchId)).toEqual(["no refusal"]);
  expect(await codes(askedBy("viewer", "elsewhere"), pipelineId, dispatchId)).toEqual(["NOT_FOUND"]);
  expect(await codes(viewer, "nothing\0", `${pipelineId}-d9.9`)).toEqual(["NOT_FOUND"]);
  expect(await codes(viewer, "nothing", "'; drop table")).toEqual(["NOT_FOUND"]);
  expect(await codes(askedBy("agent"), pipelineId, dispatchId)).toEqual(["FORBIDDEN"]);
});
