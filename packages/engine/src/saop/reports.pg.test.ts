import type { Event } from "@signalbox/contracts/saop";
import { parseJsonAndTexts, SignalboxError } from "@signalbox/contracts";
import { replayEvents } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { abortPipeline, rewindPipeline } from "../orchestrator/person-commands.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { submitTemplate } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { everyColumn, pulse, thought, toolCall, turn } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, seedTenant, type TestEngine } from "../testing/test-engine.ts";
import { readEvents } from "./read-events.ts";
import { readTurns } from "./read-turns.ts";
import { reportEvents } from "./report-events.ts";
import { reportTurn } from "./report-turn.ts";

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

const asked = askedBy("agent");
const secret = `ghp_${"aB3dE6gH9".repeat(4)}`;
const viewer = askedBy("viewer");

/** A pipeline whose first stage is at work. */
async function atWork() {
  const pipelineId = await submitTemplate(opened.engine, "chain");
  const envelope = await agent.takeOne();
  expect(idOf(envelope)).toBe(`${pipelineId}-d0.1`);
  return { pipelineId, envelope, dispatchId: idOf(envelope) };
}

const codeOf = async (work: Promise<unknown>): Promise<SignalboxError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof SignalboxError) return thrown;
  throw new Error("nothing was refused", { cause: thrown });
};

async function eventsOf(pipelineId: string, more: { limit?: number; stageId?: string } = {}) {
  const all = [];
  let cursor: string | undefined;
  do {
    const page = await readEvents(opened.engine, viewer, { pipelineId, cursor, ...more });
    all.push(...page.events);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
/** What the feed has of it beside its states. */
async function toldOf(pipelineId: string) {
  const whole = { after: place("0"), until: place(String(2n ** 63n)), most: 100 };
  const { events } = await opened.engine.database.inTenant("default", (tx) =>
    replayEvents(tx, { pipelineId }, whole),
  );
  return events.filter(({ kind }) => !kind.startsWith("pipeline."));
}
const place = (transaction: string) => ({ transaction, ordinal: 0 });
const own = <T extends { dispatchId: string | null }>(events: readonly T[]): T[] =>
  events.filter(({ dispatchId }) => dispatchId !== null);
const idsIn = (events: readonly { event: unknown }[]): unknown[] =>
  events.map(({ event }) => Reflect.get(Object(event), "event_id"));
const payloadsIn = (events: readonly { event: unknown }[]): unknown[] =>
  events.map(({ event }) => Reflect.get(Object(event), "payload"));
const textIn = (events: readonly { event: unknown }[]): string =>
  payloadsIn(events)
    .map((payload) => String(Reflect.get(Object(payload), "chunk") ?? ""))
    .join("");

describe("turns", () => {
  test("are read back in their order, whatever order they came in, page by page", async () => {
    const { pipelineId, dispatchId } = await atWork();
    for (const index of [2, 0, 1]) await reportTurn(opened.engine, asked, dispatchId, turn(index));
    const first = await readTurns(opened.engine, viewer, { pipelineId, limit: 2 });
    const rest = await readTurns(opened.engine, viewer, { pipelineId, cursor: first.nextCursor ?? "" });
    expect(rest.nextCursor).toBeUndefined();
    expect([...first.turns, ...rest.turns]).toEqual(
      [0, 1, 2].map((index) => ({
        stageId: "a",
        dispatchId,
        attemptNumber: 1,
        receivedAt: expect.any(Date),
        turn: turn(index),
        marks: [],
      })),
    );
  });

  test("the same turn again is answered as the first time, another under its index is refused", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const first = await reportTurn(opened.engine, asked, dispatchId, turn(0));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const again = await Promise.all([1, 2].map(() => reportTurn(opened.engine, asked, dispatchId, turn(0))));
    expect(again[0]).toEqual(again[1]);
    expect(again[0]).toEqual(first);
    const other = await codeOf(reportTurn(opened.engine, asked, dispatchId, turn(0, { thought: "else" })));
    expect(other).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", violations: [{ field: "turn_index" }] });
    expect((await readTurns(opened.engine, viewer, { pipelineId })).turns).toHaveLength(1);
  });

  test("the same turn told to two nodes at once is kept once, and both are answered", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const other = await opened.another({ loops: false });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        reportTurn(index % 2 === 0 ? opened.engine : other, asked, dispatchId, turn(index >> 2)),
      ),
    );
    expect((await readTurns(opened.engine, viewer, { pipelineId })).turns).toHaveLength(5);
  });
});

describe("events", () => {
  test("SAOP-9 come with their texts or without them, and are kept alike", async () => {
    const lines = [pulse("all is well"), pulse(`with ${secret}`), toolCall({ pattern: "x" }), pulse("done")];
    const { texts } = parseJsonAndTexts(JSON.stringify({ events: lines }), "events");
    expect(texts).toHaveLength(4);
    const [printed, given] = [await atWork(), await atWork()];
    await reportEvents(opened.engine, asked, printed.dispatchId, lines);
    await reportEvents(opened.engine, asked, given.dispatchId, lines, texts);
    const keptOf = async ({ pipelineId }: { pipelineId: string }) =>
      (
        await readRows(
          opened.made.url,
          `select events, fingerprints::text from signalbox.trace_runs where pipeline_id = '${pipelineId}'`,
        )
      ).map((row) => JSON.stringify(row));
    const kept = await keptOf(given);
    expect(kept).toEqual(await keptOf(printed));
    expect(kept.join("")).toContain("[redacted:");
    expect(kept.join("")).not.toContain(secret);
    // Sent again in the other form they are the same.
    await reportEvents(opened.engine, asked, printed.dispatchId, lines, texts);
    await reportEvents(opened.engine, asked, given.dispatchId, lines);
    expect(await keptOf(given)).toEqual(kept);
    expect(await keptOf(printed)).toEqual(kept);
  });

  test("are read back by turn and sequence, whatever order they came in, behind the pipeline's transitions", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const batch = [
      toolCall({}, { turn_index: 1, sequence: 1 }),
      toolCall({}, { turn_index: 0, sequence: 1 }),
      toolCall({}, { turn_index: 1, sequence: 0 }),
      toolCall({}, { turn_index: 0, sequence: 0 }),
    ];
    for (const event of batch) await reportEvents(opened.engine, asked, dispatchId, [event]);
    const found = await eventsOf(pipelineId, { limit: 3 });
    expect(idsIn(own(found))).toEqual([3, 1, 2, 0].map((index) => batch[index]?.event_id));
    const transitions = found.slice(0, -4);
    expect(transitions.every(({ dispatchId: id }) => id === null)).toBe(true);
    expect(payloadsIn(transitions)).toMatchObject([
      { type: "TASK_TRANSITION", task_id: pipelineId, from_state: "PENDING", to_state: "RUNNING" },
      { task_id: `${pipelineId}/a`, from_state: "PENDING", to_state: "READY" },
      { task_id: `${pipelineId}/a`, from_state: "READY", to_state: "DISPATCHED" },
    ]);
    expect(own(await eventsOf(pipelineId, { stageId: "b" }))).toEqual([]);
  });

  test("the same events again change nothing; another under a known id refuses its whole batch by its place", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const batch = [toolCall({ a: 1 }), pulse("one"), thought("so", { isFinal: true })];
    await reportEvents(opened.engine, asked, dispatchId, batch);
    await reportEvents(opened.engine, asked, dispatchId, [...batch, pulse("two")]);
    const wrong = await codeOf(
      reportEvents(opened.engine, asked, dispatchId, [
        pulse("three"),
        { ...pulse("x"), event_id: batch[1]?.event_id },
      ]),
    );
    expect(wrong).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", violations: [{ field: "[1].event_id" }] });
    expect(own(await eventsOf(pipelineId))).toHaveLength(4);
  });

  test("what is sent again is held against what was sent, also where that is not what is kept", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const report = (...events: Event[]) => reportEvents(opened.engine, asked, dispatchId, events);
    const [plain, masked] = [pulse("one"), pulse(`token ${secret}`)];
    await report(plain, masked);
    const shuffled: Event = {
      payload: plain.payload,
      session_id: plain.session_id,
      event_id: plain.event_id,
    };
    await report(masked, shuffled);
    await report({ ...plain, turn_index: 0, sequence: 0 });
    for (const other of [
      { ...plain, sequence: 2 },
      { ...plain, turn_index: 1 },
      { ...plain, session_id: "another" },
      { ...plain, more: 1 },
      { ...masked, payload: pulse("token [redacted:github-token]").payload },
      { ...masked, payload: { ...pulse("token [redacted:github-token]").payload, masked: true } },
    ])
      expect((await codeOf(report(other))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(idsIn(own(await eventsOf(pipelineId)))).toEqual([plain, masked].map(({ event_id }) => event_id));
  });

  test("the same events told to two nodes at once, under different turns, are kept once", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const other = await opened.another({ loops: false });
    const batch = Array.from({ length: 20 }, (_, index) => pulse(`line ${index}`));
    const sent = batch.flatMap((event, index) =>
      [0, 1].map((turn_index) =>
        reportEvents(index % 2 === turn_index ? opened.engine : other, asked, dispatchId, [
          { ...event, turn_index },
        ]),
      ),
    );
    const outcomes = await Promise.allSettled(sent);
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(batch.map(() => "IDEMPOTENCY_KEY_REUSED"));
    expect(new Set(idsIn(own(await eventsOf(pipelineId)))).size).toBe(20);
    expect(own(await eventsOf(pipelineId))).toHaveLength(20);
  });

  test("an id in capitals is the same id, and one that waits for its predecessors is known already", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const waiting = thought("b", { sequence: 1, isFinal: true });
    for (const event of [waiting, waiting]) await reportEvents(opened.engine, asked, dispatchId, [event]);
    const capitals: Event = { ...waiting, event_id: waiting.event_id.toUpperCase() };
    const refusal = await codeOf(reportEvents(opened.engine, asked, dispatchId, [capitals]));
    expect(refusal.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(own(await eventsOf(pipelineId))).toEqual([]);
    await reportEvents(opened.engine, asked, dispatchId, [thought("a", { sequence: 0 })]);
    expect(textIn(own(await eventsOf(pipelineId)))).toBe("ab");
  });

  test("one that waits, names no turn and is sent again once the next turn has begun is still the earlier one's", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const report = (events: Event[]) => reportEvents(opened.engine, asked, dispatchId, events);
    await reportTurn(opened.engine, asked, dispatchId, turn(0));
    const waiting = pulse("second", { sequence: 1 });
    await report([waiting]);
    await reportTurn(opened.engine, asked, dispatchId, turn(1));
    await report([waiting]);
    const later = ["third", "fourth"].map((line, sequence) => pulse(line, { sequence, turn_index: 1 }));
    await report(later);
    const first = pulse("first", { sequence: 0, turn_index: 0 });
    await report([first]);
    expect(idsIn(own(await eventsOf(pipelineId)))).toEqual(
      [first, waiting, ...later].map(({ event_id }) => event_id),
    );
  });

  test("readers are told of what was kept, as it was kept, once", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const batch = [pulse("one"), pulse("two")];
    await reportEvents(opened.engine, asked, dispatchId, batch);
    await reportEvents(opened.engine, asked, dispatchId, batch);
    await reportTurn(opened.engine, asked, dispatchId, turn(0));
    const told = await toldOf(pipelineId);
    const head = { stageId: "a", dispatchId, attemptNumber: 1 };
    expect(told.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
      [
        "trace.reported",
        {
          ...head,
          events: batch.map((event, sequence) => Object.assign({ turn_index: 0, sequence }, event)),
        },
      ],
      ["turn.reported", { ...head, turnIndex: 0, marks: [], turn: turn(0) }],
    ]);
  });
});

const all = (dispatchId: string, by = asked) => [
  () => reportTurn(opened.engine, by, dispatchId, turn(0)),
  () => reportEvents(opened.engine, by, dispatchId, [pulse("x")]),
];

describe("D6 who may report, and on what", () => {
  test("what trails behind a result that counted is kept; a dispatch that was fenced is stale, and keeps nothing", async () => {
    const { pipelineId, envelope, dispatchId } = await atWork();
    await agent.report(envelope);
    for (const report of all(dispatchId)) await report();
    const next = await agent.takeOne();
    await rewindPipeline(opened.engine, askedBy("operator"), {
      pipelineId,
      stageId: "a",
      instructions: "anew",
    });
    for (const report of [...all(dispatchId), ...all(idOf(next))])
      expect((await codeOf(report())).code).toBe("STALE_DISPATCH");
    const kept = await eventsOf(pipelineId);
    expect(own(kept).map(({ dispatchId: id }) => id)).toEqual([dispatchId]);
    await abortPipeline(opened.engine, askedBy("operator"), { pipelineId });
  });

  test("a dispatch that was never sent, another tenant's and no dispatch at all are unknown alike", async () => {
    const { pipelineId, dispatchId } = await atWork();
    for (const report of [
      ...all(`${pipelineId}-d1.1`),
      ...all("nothing"),
      ...all(dispatchId, askedBy("agent", "elsewhere")),
    ])
      expect((await codeOf(report())).code).toBe("NOT_FOUND");
    for (const report of all(dispatchId, viewer)) expect((await codeOf(report())).code).toBe("FORBIDDEN");
    const foreign = askedBy("viewer", "elsewhere");
    for (const read of [readTurns, readEvents])
      expect((await codeOf(read(opened.engine, foreign, { pipelineId }))).code).toBe("NOT_FOUND");
  });

  test("reports of many dispatches at once: one that is refused is refused alone", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 30 }, (_, sequence) =>
        reportEvents(opened.engine, asked, dispatchId, [pulse(`line ${sequence}`, { sequence })]),
      ),
      reportEvents(opened.engine, asked, `${pipelineId}-d2.1`, [pulse("x")]),
      reportEvents(opened.engine, asked, dispatchId, [pulse("taken", { sequence: 0 })]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 30 }, () => "fulfilled"),
      "rejected",
      "rejected",
    ]);
    expect(own(await eventsOf(pipelineId))).toHaveLength(30);
  });
});

describe("D16 a secret that is cut into chunks", () => {
  test("shows in no column of any table at any moment, whichever node hears which chunk", async () => {
    const { pipelineId, dispatchId } = await atWork();
    const nodes = [opened.engine, await opened.another({ loops: false })];
    const text = `I use ${secret} for it`;
    const chunks = Array.from({ length: Math.ceil(text.length / 9) }, (_, at) =>
      text.slice(at * 9, at * 9 + 9),
    );
    const events = chunks.map((chunk, sequence) =>
      thought(chunk, { sequence, isFinal: sequence === chunks.length - 1 }),
    );
    const shuffled = events.map((_, index) => events[(index * 5 + 2) % events.length] ?? thought(""));
    expect(new Set(shuffled).size).toBe(events.length);
    for (const [index, event] of shuffled.entries()) {
      await reportEvents(nodes[index % 2] ?? opened.engine, asked, dispatchId, [event]);
      for (const [table, content] of await everyColumn(opened.made.url))
        for (const part of [secret.slice(4, 16), secret.slice(-12)])
          expect([table, content.includes(part)]).toEqual([table, false]);
    }
    expect(textIn(own(await eventsOf(pipelineId)))).toBe("I use [redacted:github-token] for it");
  });

  test("what is held of it is sealed: not even two characters of what was said can be read", async () => {
    const { pipelineId, dispatchId } = await atWork();
    await reportEvents(opened.engine, asked, dispatchId, [thought("zq zq zq zq", { sequence: 1 })]);
    const content = await everyColumn(opened.made.url);
    for (const [table, text] of content) expect([table, text.includes("zq zq")]).toEqual([table, false]);
    const [row] = await readRows(
      opened.made.url,
      `select octet_length(sealed) as size from signalbox.turn_streams where pipeline_id = '${pipelineId}'`,
    );
    expect(Number(row?.["size"])).toBeGreaterThan(11);
  });

  test("in a turn it is masked, and the mask says where", async () => {
    const { pipelineId, dispatchId } = await atWork();
    await reportTurn(opened.engine, asked, dispatchId, turn(0, { thought: `because ${secret}` }));
    const [found] = (await readTurns(opened.engine, viewer, { pipelineId })).turns;
    expect(found).toMatchObject({
      turn: { content: { thought: "because [redacted:github-token]" } },
      marks: [{ path: "content.thought", rule: "github-token", count: 1 }],
    });
  });
});
