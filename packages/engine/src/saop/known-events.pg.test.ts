import type { TaskEnvelope } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import { readDispatchId } from "@signalbox/core";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { abortPipeline } from "../orchestrator/person-commands.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { submitTemplate } from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { pulse, thought, toolCall, turn } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { eventReport } from "./event-desk.ts";
import { knownEventsOf } from "./known-events.ts";
import { readEvents } from "./read-events.ts";
import { reportEvents } from "./report-events.ts";
import { reportTurn } from "./report-turn.ts";
import { attemptsAsKnown, writeAsKnown } from "./write-as-known.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
let elsewhere: Engine;
beforeAll(async () => {
  opened = await openTestEngine();
  elsewhere = await opened.another({ loops: false });
  await prepare(opened.engine);
  agent = workByHand(opened.engine, "builder");
  await agent.beat({ capacity: { maxTasks: 100 } });
});
afterAll(() => opened.end());

const asked = askedBy("agent");
let pipelineId: string;
let dispatchId: string;
let envelope: TaskEnvelope;

/** An attempt of which this process has written a line. */
beforeEach(async () => {
  pipelineId = await submitTemplate(opened.engine, "chain");
  envelope = await agent.takeOne();
  dispatchId = idOf(envelope);
  await report(pulse("0"));
});

const report = (...events: Event[]) => reportEvents(opened.engine, asked, dispatchId, events);
const atTheOther = (...events: Event[]) => reportEvents(elsewhere, asked, dispatchId, events);

async function asKnown(...events: Event[]) {
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw new Error("no dispatch");
  const { caller } = asked;
  const said = eventReport({ caller, unconfirmedKey: undefined, dispatchId, place }, events);
  const known = attemptsAsKnown(opened.engine.database, [said]);
  return known.size === 0 ? undefined : await writeAsKnown(opened.engine, [said], known);
}

async function kept(): Promise<unknown[][]> {
  const { events } = await readEvents(opened.engine, askedBy("viewer"), { pipelineId, limit: 100 });
  return events.flatMap(({ dispatchId: id, event }) => {
    if (id === null) return [];
    const { payload, turn_index, sequence } = Object(event) as {
      payload: { line?: string; chunk?: string };
      turn_index: number;
      sequence: number;
    };
    return [[turn_index, sequence, payload.line ?? payload.chunk]];
  });
}

const asOwner = (text: string) => readRows(opened.made.url, text);

test("what goes on from what this process wrote is written as it is known", async () => {
  expect(await asKnown(pulse("1"), pulse("2"))).toEqual([
    { ok: true, value: { receivedAt: expect.any(Date) } },
  ]);
  expect(await asKnown(pulse("3"))).toBeDefined();
  expect(await kept()).toEqual([0, 1, 2, 3].map((sequence) => [0, sequence, String(sequence)]));
});

describe("nothing is written as it is known, and all of it is right", () => {
  test("where another process wrote of the same turn", async () => {
    await atTheOther(pulse("1"));
    expect(await asKnown(pulse("2"))).toBeUndefined();
    await report(pulse("2"));
    // What two write in turn is not tried as it is known: the other would have written again.
    expect(await asKnown(pulse("x"))).toBeUndefined();
    await report(pulse("3"));
    expect(await asKnown(pulse("4"))).toBeDefined();
    expect(await kept()).toEqual([0, 1, 2, 3, 4].map((sequence) => [0, sequence, String(sequence)]));
  });

  test("where another process wrote the same events under another turn", async () => {
    const same = pulse("1");
    await atTheOther({ ...same, turn_index: 7 }, pulse("2", { turn_index: 0 }));
    await report(pulse("3", { turn_index: 0 }));
    expect(await asKnown({ ...same, turn_index: 0 })).toBeUndefined();
    await expect(report({ ...same, turn_index: 0 })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    await report(same);
    expect((await kept()).map(([, , line]) => line)).toEqual(["0", "2", "3", "1"]);
  });

  test("where a later turn was told: an event that names none is that turn's", async () => {
    await reportTurn(elsewhere, asked, dispatchId, turn(4));
    expect(await asKnown(pulse("1"))).toBeUndefined();
    await report(pulse("1"));
    expect(await kept()).toEqual([
      [0, 0, "0"],
      [4, 0, "1"],
    ]);
  });

  test("where a later turn began with an event that waits, of which no run tells", async () => {
    await atTheOther(pulse("2", { turn_index: 7, sequence: 1 }));
    expect(await kept()).toEqual([[0, 0, "0"]]);
    expect(await asKnown(pulse("1"))).toBeUndefined();
  });

  test("where an event names another turn", async () => {
    expect(await asKnown(pulse("1"), pulse("2", { turn_index: 1 }))).toBeUndefined();
    expect(await kept()).toEqual([[0, 0, "0"]]);
  });

  test("D6 where the dispatch is over", async () => {
    await abortPipeline(elsewhere, askedBy("operator"), { pipelineId, note: "no longer wanted" });
    expect(await asKnown(pulse("1"))).toBeUndefined();
    await expect(report(pulse("1"))).rejects.toMatchObject({ code: "STALE_DISPATCH" });
    expect(await kept()).toEqual([[0, 0, "0"]]);
  });

  test("D21 where another routing policy says what is to be masked", async () => {
    await publishPolicy(
      elsewhere,
      builderPolicy({
        version: "2.0.0",
        redaction: { always_redact: ["**/*.line"], conditional_redact: [] },
      }),
    );
    expect(await asKnown(pulse("1"))).toBeUndefined();
    await report(pulse("1"));
    await publishPolicy(elsewhere, builderPolicy({ version: "3.0.0" }));
    await report(pulse("2"));
    expect((await kept()).map(([, , line]) => line)).toEqual([
      "0",
      expect.stringContaining("[redacted"),
      "2",
    ]);
  });

  test("where an event was sent before: it is kept once", async () => {
    const [one, two] = [pulse("1"), pulse("2")];
    await report(one);
    expect(await asKnown(one, two)).toBeUndefined();
    await Promise.all([report(one, two), report(two), atTheOther(two, one)]);
    await report(two);
    expect(await kept()).toEqual([0, 1, 2].map((sequence) => [0, sequence, String(sequence)]));
  });

  test("where the database went back to an earlier state and on from there", async () => {
    const [lost, other] = [pulse("lost"), pulse("other")];
    await report(lost);
    await asOwner(`
      set session_replication_role = replica;
      update signalbox.trace_runs set event_ids = '{${other.event_id}}'
      where pipeline_id = '${pipelineId}' and first_sequence = 1`);
    await report(lost);
    expect((await kept()).map(([, , line]) => line)).toEqual(["0", "lost", "lost"]);
    await expect(report(other)).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

const rememberedOf = (id: string) => knownEventsOf(opened.engine.database).attempts.find(`default/${id}`);

describe("what is remembered of an attempt", () => {
  test("outlives what is not so any more of it, and of another in its group", async () => {
    const [bystander, ids] = [dispatchId, rememberedOf(dispatchId)?.ids];
    await abortPipeline(elsewhere, askedBy("operator"), { pipelineId });
    await submitTemplate(opened.engine, "chain");
    dispatchId = idOf(await agent.takeOne());
    await report(pulse("0"));
    const own = rememberedOf(dispatchId)?.ids;
    await Promise.allSettled([
      report(pulse("1")),
      reportEvents(opened.engine, asked, bystander, [pulse("too late")]),
    ]);
    expect(rememberedOf(dispatchId)?.ids).toBe(own);
    expect(rememberedOf(bystander)?.ids).toBe(ids);
    expect(own?.size).toBe(2);
  });

  test("holds each event once, also when reports trail behind the result", async () => {
    await agent.report(envelope);
    await agent.takeOne();
    for (let turn_index = 1; turn_index <= 20; turn_index += 1)
      await report(pulse(`${turn_index}`, { turn_index }));
    expect(await kept()).toHaveLength(21);
    expect(rememberedOf(dispatchId)).toMatchObject({ ids: { size: 21, lastRun: 21 }, facts: undefined });
  });

  test("is read page by page where another process wrote all of it", async () => {
    // Each is a run of its own, for none stands right behind another.
    const calls = Array.from({ length: 450 }, (_, index) =>
      toolCall({ index }, { sequence: 2 * index, turn_index: 5 }),
    );
    for (let from = 0; from < calls.length; from += 90) await atTheOther(...calls.slice(from, from + 90));
    await report(...calls.slice(440), toolCall({}, { turn_index: 6 }));
    expect(rememberedOf(dispatchId)?.ids).toMatchObject({ size: 452, lastRun: 452 });
    await expect(report({ ...pulse("x"), event_id: calls[7]?.event_id ?? "" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
  });
});

test("D22 one that waited, and whose id another took meanwhile, is not kept beside it", async () => {
  const waiting = pulse("second", { sequence: 2, turn_index: 0 });
  await report(waiting);
  await report(pulse("taken", { event_id: waiting.event_id, sequence: 0, turn_index: 1 }));
  const [first, third] = [1, 3].map((sequence) => pulse(`${sequence}`, { sequence, turn_index: 0 }));
  await report(...[first, third].flatMap((one) => one ?? []));
  expect(await kept()).toEqual([
    [0, 0, "0"],
    [0, 1, "1"],
    [0, 3, "3"],
    [1, 0, "taken"],
  ]);
});

test("chunks that wait for others go on as they are known, and a secret that they share shows nowhere", async () => {
  const secret = `ghp_${"aB3dE6gH9".repeat(4)}`;
  await report(thought(`it is ${secret.slice(0, 9)}`, { sequence: 1 }));
  expect(await asKnown(thought("", { sequence: 3, isFinal: true }))).toBeDefined();
  expect(await asKnown(thought(secret.slice(9), { sequence: 2 }))).toBeDefined();
  expect((await kept()).map(([, , text]) => text).join("")).toBe("0it is [redacted:github-token]");
});

test("many who report at once, on two processes, are each kept once and in order", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => pulse(`line ${index}`));
  await Promise.all(
    lines.flatMap((line, index) => (index % 3 === 0 ? [report(line), atTheOther(line)] : [report(line)])),
  );
  const found = await kept();
  expect(found.map(([, sequence]) => sequence)).toEqual(Array.from({ length: 61 }, (_, index) => index));
  expect(new Set(found.map(([, , line]) => line)).size).toBe(61);
});
