import { sql } from "drizzle-orm";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "../connection.ts";
import { connectionOf, queriesOf } from "../database.ts";
import { openTestDatabase } from "../testing/index.ts";
import { feedStanding } from "./feed-standing.ts";
import { type FeedPage, followFeeds } from "./follow-feeds.ts";
import { dueFeeds, forgetEvents } from "./forget-events.ts";
import { insertEvents, type NewEvent } from "./insert-events.ts";
import { type FeedPart, replayEvents } from "./replay-events.ts";
import type { EventCursor } from "./stored-event.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const BEGINNING: EventCursor = { transaction: "0", ordinal: -1 };
const event = (tenantId: string, kind: string, pipelineId: string | null = null): NewEvent => ({
  tenantId,
  pipelineId,
  kind,
  payload: "{}",
});
/**
 * Until no transaction runs any more that was there before: tests beside this one, in other databases of the server, hold
 * every feed up while they write.
 */
async function settle(): Promise<void> {
  const [mark] = await connectionOf(opened.database).execute(sql`select pg_current_xact_id() as own`);
  const isOver = sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${String(mark?.["own"])}::xid8 as over`;
  while ((await connectionOf(opened.database).execute(isOver))[0]?.["over"] !== true) await pause(5);
}
const write = (...events: [NewEvent, ...NewEvent[]]) =>
  opened.database.inTenants(
    events.map(({ tenantId }) => tenantId),
    (tx) => insertEvents(tx, events),
  );
async function follow(tenantId: string, after = BEGINNING, limit = 100): Promise<FeedPage> {
  const pages = await opened.database.inTenants([tenantId], (tx) =>
    followFeeds(tx, [{ tenantId, ...after }], limit),
  );
  const page = pages.get(tenantId);
  if (page === undefined) throw new Error("a feed that is followed has no page");
  return page;
}
const kindsOf = ({ events }: Pick<FeedPage, "events">) => events.map(({ kind }) => kind);

describe("following", () => {
  test("a transaction's events keep their order, whoever writes them, and pages meet each once", async () => {
    await opened.database.inTenants(["paged"], async (tx) => {
      await insertEvents(tx, [event("paged", "a"), event("paged", "b")]);
      await insertEvents(tx, [event("paged", "c")]);
    });
    await write(event("paged", "d"), event("paged", "e"));
    await settle();
    const seen: string[] = [];
    let page = await follow("paged", BEGINNING, 2);
    for (; page.full; page = await follow("paged", page.next, 2)) seen.push(...kindsOf(page));
    expect([...seen, ...kindsOf(page)]).toEqual(["a", "b", "c", "d", "e"]);
    expect(kindsOf(await follow("paged", page.next))).toEqual([]);
    expect(kindsOf(await follow("another"))).toEqual([]);
  });

  test("an event whose transaction commits late is never passed by, also by a feed with nothing new", async () => {
    const release = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const late = opened.database.inTenants(["late"], async (tx) => {
      await insertEvents(tx, [event("late", "first")]);
      written.resolve();
      await release.promise;
    });
    await written.promise;
    await write(event("late", "second"));
    const early = await follow("late");
    expect(kindsOf(early)).toEqual([]);
    release.resolve();
    await late;
    await settle();
    expect(kindsOf(await follow("late", early.next))).toEqual(["first", "second"]);
  });

  test("many feeds are read in one statement, each its own and each from its own position", async () => {
    await write(event("one", "a"), event("other", "b"));
    await settle();
    const before = await follow("one");
    await write(event("one", "c"), event("other", "d"));
    await settle();
    const pages = await opened.database.inTenants(["one", "other", "silent"], (tx) =>
      followFeeds(
        tx,
        [
          { tenantId: "one", ...before.next },
          { tenantId: "other", ...BEGINNING },
          { tenantId: "silent", ...BEGINNING },
        ],
        10,
      ),
    );
    expect([...pages].map(([tenantId, page]) => [tenantId, kindsOf(page)])).toEqual(
      expect.arrayContaining([
        ["one", ["c"]],
        ["other", ["b", "d"]],
        ["silent", []],
      ]),
    );
  });
});

const replayed = async (part: FeedPart, most: number): Promise<{ kinds: string[]; pages: number }> => {
  const { next: until } = await follow("replayed");
  const kinds: string[] = [];
  let after = BEGINNING;
  for (let pages = 1; ; pages += 1) {
    const page = await opened.database.inTenant("replayed", (tx) =>
      replayEvents(tx, part, { after, until, most }),
    );
    kinds.push(...kindsOf(page));
    if (page.next === until) return { kinds, pages };
    after = page.next;
  }
};

const five = (...kinds: string[]) => Array.from({ length: 5 }, () => kinds).flat();

describe("replaying", () => {
  test("each part is given whole, in order, and no page looks at more than it may", async () => {
    for (let round = 0; round < 5; round += 1) {
      await write(
        event("replayed", "pipeline.changed", "p"),
        event("replayed", "turn.reported", "p"),
        event("replayed", "pipeline.changed", "q"),
        event("replayed", "instance.lost"),
        event("elsewhere", "instance.lost"),
        event("replayed", "escalation.opened", "q"),
      );
    }
    await settle();
    const registry = await replayed({ families: ["pack", "instance"], seldom: true }, 2);
    expect(registry).toEqual({ kinds: five("instance.lost"), pages: 6 });
    const whole = await replayed({ families: ["pipeline", "instance", "escalation"], seldom: false }, 7);
    expect(whole).toEqual({
      kinds: five("pipeline.changed", "pipeline.changed", "instance.lost", "escalation.opened"),
      pages: 4,
    });
    expect((await replayed({ pipelineId: "p" }, 100)).kinds).toEqual(
      five("pipeline.changed", "turn.reported"),
    );
  });

  test("each part is found by an index that begins with it, whatever the planner knows", async () => {
    await opened.database.inTenant("replayed", async (tx) => {
      const position = { after: BEGINNING, until: { transaction: "9999", ordinal: 0 }, most: 10 };
      await replayEvents(tx, { families: ["alert"], seldom: true }, position);
      await replayEvents(tx, { families: ["alert"], seldom: false }, position);
      const prepared = await queriesOf(tx).execute<{ statement: string }>(sql`
        select statement from pg_prepared_statements where statement like '%split_part%'`);
      const plans = [];
      for (const { statement } of prepared) {
        const lines = await queriesOf(tx).execute(sql.raw(`explain (generic_plan) ${statement}`));
        plans.push({ statement, plan: lines.map((line) => String(line["QUERY PLAN"])).join("\n") });
      }
      for (const { statement, plan } of plans) {
        expect(plan).toMatch(statement.includes("not like") ? /events_seldom/ : /events_\w*_pk/);
        expect(plan).not.toMatch(/Seq Scan|Sort/);
      }
      expect(plans.length).toBeGreaterThanOrEqual(2);
    });
  });
});

const age = (tenantId: string, hours: number) =>
  withConnection(opened.made.url, async (connection) => {
    await connection.execute(sql`alter table signalbox.events disable trigger user`);
    await connection.execute(sql`
      update signalbox.events set recorded_at = now() - make_interval(hours => ${hours})
      where tenant_id = ${tenantId}`);
    await connection.execute(sql`alter table signalbox.events enable trigger user`);
  });

const forget = (tenantId: string, limit: number) =>
  opened.database.inTenant(tenantId, (tx) => forgetEvents(tx, { keptHours: 48, limit }));

const asApp = (statement: string) =>
  opened.database.inTenant("today", (tx) => queriesOf(tx).execute(sql.raw(statement)));

describe("forgetting", () => {
  test("what is old is forgotten, a bounded number at once, and who stands before it is told", async () => {
    await write(event("aged", "alert.raised"), event("aged", "b"), event("aged", "c"));
    await age("aged", 60);
    await write(event("aged", "d"), event("young", "e"));
    await settle();
    expect(await dueFeeds(opened.database, 48, 10)).toEqual(["aged"]);
    expect(await forget("aged", 2)).toBe(2);
    expect(await forget("aged", 2)).toBe(1);
    expect(await forget("aged", 2)).toBe(0);
    expect(await dueFeeds(opened.database, 48, 10)).toEqual([]);
    const page = await follow("aged");
    expect([kindsOf(page), page.forgotten]).toEqual([["d"], true]);
    const { forgotten: horizon } = await opened.database.inTenant("aged", feedStanding);
    expect((await follow("aged", horizon)).forgotten).toBe(false);
    expect((await opened.database.inTenant("young", feedStanding)).forgotten).toBeUndefined();
    const replay = await opened.database.inTenant("aged", (tx) =>
      replayEvents(
        tx,
        { families: ["alert"], seldom: true },
        { after: BEGINNING, until: page.next, most: 10 },
      ),
    );
    expect(replay.forgotten).toBe(true);
  });

  test("the product can neither change an event nor forget one of today", async () => {
    await write(event("today", "a"));
    await expect(asApp("delete from signalbox.events where tenant_id = 'today'")).rejects.toMatchObject({
      code: "23001",
    });
    await expect(asApp("update signalbox.events set kind = 'b'")).rejects.toMatchObject({ code: "42501" });
    await expect(asApp("truncate signalbox.events")).rejects.toMatchObject({ code: "42501" });
    for (const statement of ["update signalbox.events set kind = 'b'", "truncate signalbox.events"]) {
      await expect(
        withConnection(opened.made.url, (connection) => connection.execute(sql.raw(statement))),
      ).rejects.toMatchObject({ code: "23001", message: expect.stringMatching(/append-only/) });
    }
  });
});
