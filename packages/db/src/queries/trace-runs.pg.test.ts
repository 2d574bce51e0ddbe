import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listTraceEvents } from "../repositories/turns-and-events.ts";
import { openTestDatabase } from "../testing/index.ts";
import { listToolEvents } from "./attempt-traces.ts";
import { type EventPlace, listEventWindow } from "./attempt-work.ts";
import { commitWith, queriesOf, type TenantTransaction } from "../database.ts";
import { followFeeds } from "./follow-feeds.ts";
import { insertEvents } from "./insert-events.ts";
import { replayEvents } from "./replay-events.ts";
import {
  findTraceEvents,
  insertionOfTraceReports,
  isOvertaken,
  loadEventIds,
  LONGEST_RUN,
  type NewTraceRun,
} from "./trace-runs.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.inTenants(["east"], (tx) =>
    commitWith(tx, [
      insertionOfTraceReports(tx, [
        { kind: "trace.reported", news: '{"n":1}', runs: runs.slice(0, 3) },
        { kind: "trace.reported", news: '{"n":2}', runs: runs.slice(3, -1) },
        { kind: "trace.reported", news: '{"n":3}', runs: runs.slice(-1) },
      ]),
    ]),
  );
});
afterAll(() => opened.end());

const LINE = "SANDBOX_PULSE";
const CALL = "TOOL_LIFECYCLE_INVOKED";

type Own = EventPlace & { attemptNumber: number; type: string; text: string };

/** Runs of every length, some with a call in them: first, last, in the middle, alone and many. */
const shapes: [attemptNumber: number, turnIndex: number, firstSequence: number, types: string[]][] = [
  [1, 0, 0, [CALL, LINE, LINE]],
  [1, 0, 3, [LINE]],
  [1, 0, 4, [LINE, LINE, CALL]],
  [1, 1, 0, [CALL]],
  [1, 1, 1, [LINE, CALL, LINE, CALL, CALL]],
  [1, 3, 5, [LINE, LINE, LINE, LINE]],
  [1, 3, 9, Array.from({ length: LONGEST_RUN }, (_, place) => (place % 400 === 7 ? CALL : LINE))],
  [1, 3, 9 + LONGEST_RUN, [LINE, CALL]],
  [2, 0, 0, [LINE, CALL]],
];

const all: Own[] = shapes.flatMap(([attemptNumber, turnIndex, firstSequence, types]) =>
  types.map((type, place) => {
    const sequence = firstSequence + place;
    const own = { attemptNumber, turnIndex, sequence, type };
    const payload = {
      type,
      tool: "t",
      call_id: `${attemptNumber}/${turnIndex}/${sequence}`,
      command: "x, y",
    };
    return { ...own, text: JSON.stringify({ payload, turn_index: turnIndex, sequence }) };
  }),
);

const runs: NewTraceRun[] = shapes.map(([attemptNumber, turnIndex, firstSequence, types], index) => {
  const own = all.filter(
    (one) =>
      one.attemptNumber === attemptNumber &&
      one.turnIndex === turnIndex &&
      one.sequence >= firstSequence &&
      one.sequence < firstSequence + types.length,
  );
  return {
    tenantId: "east",
    pipelineId: "p",
    stageOrder: 0,
    attemptNumber,
    turnIndex,
    firstSequence,
    runNumber: index + 1,
    stageId: "s",
    types: [...new Set(types)],
    eventIds: own.map(({ sequence }) => idOf(attemptNumber, turnIndex, sequence)),
    fingerprints: turnIndex === 1 ? own.map(({ sequence }) => fingerprintOf(sequence)) : null,
    events: own.map(({ text }) => text).join(","),
  };
});

/** What was masked has one, what stands beside it has none. */
function fingerprintOf(sequence: number): string | null {
  return sequence % 2 === 0 ? `0${sequence}`.repeat(32) : null;
}

function idOf(...numbers: [number, number, number]): string {
  const [attempt, turn, sequence] = numbers.map((number) => number.toString(16));
  return `0000000${attempt}-000${turn}-4000-8000-${(sequence ?? "").padStart(12, "0")}`;
}

test("readers are told each report with its events, by their turns; a row of an earlier version holds its own", async () => {
  const event = {
    tenantId: "east",
    pipelineId: "p",
    kind: "trace.reported",
    payload: '{"n":4,"events":[{}]}',
  };
  await opened.database.inTenants(["east"], (tx) => insertEvents(tx, [event]));
  const { events } = await opened.database.inTenant("east", (tx) =>
    replayEvents(tx, { pipelineId: "p" }, { after: cursor("0"), until: cursor(String(2n ** 63n)), most: 10 }),
  );
  expect(events.map(({ payload }) => payload)).toEqual([
    `{"n":1,"events":[${texts(0, 3).join(",")}]}`,
    `{"n":2,"events":[${texts(3, -1).join(",")}]}`,
    `{"n":3,"events":[${texts(-1).join(",")}]}`,
    event.payload,
  ]);
});

test("a report is told with the runs of its own tenant, where another's attempt has the same name", async () => {
  const run: NewTraceRun = { ...runs[0], tenantId: "west", events: '{"west":true}' } as NewTraceRun;
  await opened.database.inTenants(["east", "west"], (tx) =>
    commitWith(tx, [insertionOfTraceReports(tx, [{ kind: "trace.reported", news: '{"n":1}', runs: [run] }])]),
  );
  const told = () =>
    opened.database.inTenants(["east", "west"], async (tx) => {
      const feeds = ["east", "west"].map((tenantId) => Object.assign(cursor("0"), { tenantId }));
      const pages = await followFeeds(tx, feeds, 10);
      return ["east", "west"].map((tenantId) => pages.get(tenantId)?.events[0]?.payload);
    });
  // A feed is held up while any transaction of the server runs that was there before.
  await expect
    .poll(told, { timeout: 10_000 })
    .toEqual([`{"n":1,"events":[${texts(0, 3).join(",")}]}`, '{"n":1,"events":[{"west":true}]}']);
});

const texts = (from: number, to?: number) => runs.slice(from, to).map(({ events }) => events);
const cursor = (transaction: string) => ({ transaction, ordinal: 0 });

describe("a pipeline's events", () => {
  test.each([undefined, CALL, LINE])("of the type %s go on behind any of them", async (type) => {
    const behind = [-1, ...all.keys()].filter((index) => index < 40 || index > all.length - 20);
    for (const index of behind)
      for (const limit of [1, 4]) {
        const last = all[index];
        const wanted = all.slice(index + 1).filter((one) => type === undefined || one.type === type);
        const found = await opened.database.inTenant("east", (tx) =>
          listTraceEvents(tx, "p", { limit, type, after: last && { stageOrder: 0, ...last } }),
        );
        expect(found.map(({ event }) => event)).toEqual(wanted.slice(0, limit).map(({ text }) => text));
      }
  });
});

const isBefore = (one: EventPlace, other: EventPlace) =>
  one.turnIndex < other.turnIndex || (one.turnIndex === other.turnIndex && one.sequence < other.sequence);

describe("an attempt's window", () => {
  const ofAttempt = { pipelineId: "p", stageOrder: 0, attemptNumber: 1 };
  const places = all.filter(({ attemptNumber }) => attemptNumber === 1);
  const window = (more: {
    direction: "newer" | "older";
    than?: EventPlace;
    types: string[];
    mostBytes: number;
  }) => opened.database.inTenant("east", (tx) => listEventWindow(tx, ofAttempt, { limit: 5, ...more }));

  test.each([["newer"], ["older"]] as const)(
    "%s than any place begins right beyond it",
    async (direction) => {
      const near = [...places.slice(0, 30), ...places.slice(-30)];
      for (const than of [undefined, ...near, { turnIndex: 2, sequence: 0 }])
        for (const types of [[CALL], [LINE], [CALL, LINE]])
          for (const mostBytes of [1, 1_000_000]) {
            const beyond = places.filter(
              (one) =>
                types.includes(one.type) &&
                (than === undefined || (direction === "newer" ? isBefore(than, one) : isBefore(one, than))),
            );
            const wanted = direction === "newer" ? beyond : beyond.toReversed();
            const found = await window({ direction, types, mostBytes, ...(than && { than }) });
            const few = mostBytes === 1 ? Math.min(1, wanted.length) : Math.min(5, wanted.length);
            expect(found.map(({ event }) => event)).toEqual(wanted.slice(0, few).map(({ text }) => text));
          }
    },
  );
});

test("calls of tools are found in runs of anything, so many and no more", async () => {
  const calls = all
    .filter(({ type }) => type === CALL)
    .map(({ attemptNumber, turnIndex, sequence }) => ({
      attemptNumber,
      turnIndex,
      sequence,
      callId: `${attemptNumber}/${turnIndex}/${sequence}`,
    }));
  for (const most of [1, 4, 100]) {
    const found = await opened.database.inTenant("east", (tx) => listToolEvents(tx, "p", most));
    expect(found).toMatchObject(calls.slice(0, most));
    expect(found).toHaveLength(Math.min(most, calls.length));
  }
});

const ofAttempt = (attemptNumber: number) => ({
  tenantId: "east",
  pipelineId: "p",
  stageOrder: 0,
  attemptNumber,
});
const runOf = ({ attemptNumber, turnIndex, sequence }: Omit<Own, "type" | "text">): number =>
  runs.findIndex(
    (run) =>
      run.attemptNumber === attemptNumber &&
      run.turnIndex === turnIndex &&
      run.firstSequence <= sequence &&
      sequence < run.firstSequence + run.eventIds.length,
  ) + 1;
const keyOf = (own: Omit<Own, "type" | "text">) => ({
  ...ofAttempt(own.attemptNumber),
  runNumber: runOf(own),
  eventId: idOf(own.attemptNumber, own.turnIndex, own.sequence),
});
const strange = { attemptNumber: 7, turnIndex: 0, sequence: 0 };

test("events are found by their ids in the runs that may hold them, with what tells each from others", async () => {
  const asked = [...all.toReversed(), strange, { ...strange, attemptNumber: 1, turnIndex: 9 }].map(keyOf);
  // Another's run, and one that is not there: neither holds it.
  const besides = all.slice(0, 20).map((own) => Object.assign(keyOf(own), { runNumber: runOf(own) + 1 }));
  const found = await opened.database.inTenants(["east"], (tx) =>
    findTraceEvents(tx, [...besides, ...asked]),
  );
  const byId = new Map(found.map((row) => [row.eventId, row]));
  expect(found).toHaveLength(all.length);
  expect(all.map((one) => byId.get(keyOf(one).eventId))).toEqual(
    all.map((one) => ({
      ...ofAttempt(one.attemptNumber),
      eventId: keyOf(one).eventId,
      fingerprint: one.turnIndex === 1 ? fingerprintOf(one.sequence) : null,
      event: one.text,
    })),
  );
});

test("an attempt's ids are loaded from a run on, in the order in which the runs came", async () => {
  const found = await opened.database.inTenants(["east"], (tx) =>
    loadEventIds(
      tx,
      [
        { ...ofAttempt(1), from: 3 },
        { ...ofAttempt(2), from: 0 },
        { ...ofAttempt(7), from: 0 },
      ],
      5,
    ),
  );
  const wanted = runs.filter(
    ({ attemptNumber, runNumber }) => attemptNumber === 2 || (runNumber >= 3 && runNumber < 8),
  );
  expect(found).toEqual(
    wanted.map(({ attemptNumber, runNumber, eventIds }) =>
      Object.assign(ofAttempt(attemptNumber), { runNumber, eventIds }),
    ),
  );
});

test("a run whose number is taken fails the transaction, and nothing of it is kept", async () => {
  const again = { ...runs[0], turnIndex: 77, runNumber: 2 } as NewTraceRun;
  const error = await opened.database
    .inTenants(["east"], (tx) =>
      commitWith(tx, [insertionOfTraceReports(tx, [{ kind: "trace.reported", news: "{}", runs: [again] }])]),
    )
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  expect(isOvertaken(error)).toBe(true);
  const events = await opened.database.inTenant("east", (tx) =>
    listTraceEvents(tx, "p", {
      limit: 1,
      after: { stageOrder: 0, attemptNumber: 1, turnIndex: 76, sequence: 0 },
    }),
  );
  expect(events.map(({ attemptNumber }) => attemptNumber)).toEqual([2]);
});

/** How often a run's events are taken apart by the statement with this in it. */
async function runsRead(tx: TenantTransaction, part: string, parameters: readonly string[]): Promise<number> {
  const [prepared] = await queriesOf(tx).execute<{ name: string }>(sql`
    select name from pg_prepared_statements where statement like ${`%${part}%`} and cardinality(parameter_types) = ${parameters.length}::int`);
  const given = parameters.map((parameter) => `'${parameter}'`).join(", ");
  const plan = await queriesOf(tx).execute(
    sql.raw(`explain (analyze, timing off, summary off) execute "${prepared?.name}"(${given})`),
  );
  const text = plan.map((line) => String(line["QUERY PLAN"])).join("\n");
  const [, loops] = /Function Scan on json_array_elements .*loops=(\d+)\)/.exec(text) ?? [];
  if (loops === undefined) throw new Error(text);
  return Number(loops);
}

test("a run is read once, however many of its events are asked for", async () => {
  const asked = all.slice(0, 3).map(keyOf);
  const columns = (
    ["tenantId", "pipelineId", "stageOrder", "attemptNumber", "runNumber", "eventId"] as const
  ).map((name) => `{${asked.map((key) => key[name]).join(",")}}`);
  const read = opened.database.inTenant("east", async (tx) => {
    await findTraceEvents(tx, asked);
    return runsRead(tx, "run_number = wanted", columns);
  });
  expect(await read).toBe(1);
});

test("runs behind those that fill a page are not read", async () => {
  const read = opened.database.inTenant("east", async (tx) => {
    await listTraceEvents(tx, "p", { limit: 4, after: undefined });
    return runsRead(tx, "run.before < ", ["east", "p", "5", "4", "4"]);
  });
  expect(await read).toBe(2);
});
