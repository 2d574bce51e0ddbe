import { AuditEventType, SignalboxError } from "@signalbox/contracts";
import { monthOf } from "@signalbox/core";
import { listAuditEntries } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asking, openTestSystem, type TestSystem } from "../testing/test-system.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { applyRetention } from "./apply-retention.ts";
import { placeHold, releaseHold } from "./holds.ts";
import { changeRetention, getRetention } from "./retention.ts";

let opened: TestSystem;
beforeAll(async () => {
  opened = await openTestSystem(["north", "south"]);
});
afterAll(() => opened.end());

const asSuperuser = (text: string) => readRows(opened.made.url, text);
const admin = asking("admin");
const auditor = asking("auditor");
const south = asking("admin", "south");
const because = { reason: "the law of the land" };
const apply = () =>
  applyRetention(opened.system, (reason) => {
    throw reason;
  });

/** So many months ago, as the record calls it. */
function monthsAgo(count: number): string {
  const now = new Date();
  return monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1));
}
const nameOf = (month: string) => `audit_entries_${month.replace("-", "_")}`;

/** A month of the past as the product made it then, with an entry of each of these tenants. */
async function makeMonth(month: string, tenantIds: readonly string[]): Promise<void> {
  const from = `${month}-01`;
  await asSuperuser(`
    do $do$
    declare made text := (select pg_get_functiondef('signalbox.ensure_audit_partitions(integer)'::regprocedure));
    begin
      execute replace(replace(made, 'ensure_audit_partitions(months_ahead', 'made_then(months_ahead'),
        $$date_trunc('month', now() AT TIME ZONE 'UTC')$$, $$timestamp '${from}'$$);
    end $do$`);
  await asSuperuser(`alter function signalbox.made_then(integer) owner to signalbox_owner`);
  await asSuperuser(`select signalbox.made_then(0)`);
  await asSuperuser(`drop function signalbox.made_then(integer)`);
  for (const tenantId of tenantIds) {
    await asSuperuser(`
      insert into signalbox.audit_entries (tenant_id, recorded_at, event_type, actor_type, actor_id, payload)
      select '${tenantId}', timestamptz '${from}T00:00:00Z' + day * interval '1 day', 101, 3, 'ada', '{}'
      from generate_series(0, 27, 9) as day`);
  }
}
const isThere = async (month: string) =>
  (await asSuperuser(`select to_regclass('signalbox.${nameOf(month)}') is not null as there`))[0]?.["there"];
const inNorth = (text: string) =>
  readRows(opened.made.appUrl, `begin; set local signalbox.tenant_id = 'north'; ${text}; commit`);
/** As if it had been said that long ago. */
const longAgo = (tenantId: string) =>
  asSuperuser(`
    begin; set local session_replication_role = replica;
    update signalbox.audit_retention set takes_effect_at = now() - interval '1 minute' where tenant_id = '${tenantId}';
    commit`);
const entriesOf = async (asked: typeof admin, eventType: AuditEventType) =>
  (
    await opened.system.database.inTenant(asked.caller.tenantId, (tx) =>
      listAuditEntries(tx, { eventType, limit: 100 }),
    )
  ).entries;

describe("RET-1 RET-3 what a person says", () => {
  test("nobody has said anything: for ever, and nothing goes", async () => {
    await makeMonth(monthsAgo(30), ["north"]);
    expect(await getRetention(opened.system, auditor)).toMatchObject({
      keepMonths: null,
      monthsInForce: null,
      oldest: { month: monthsAgo(30), goesAt: undefined },
      holds: [],
    });
    expect(await apply()).toEqual([]);
  });

  test("a shorter time takes effect in a week; said again it is no news, and a longer one holds at once", async () => {
    const shorter = await changeRetention(opened.system, admin, { keepMonths: 24, ...because });
    expect(shorter).toMatchObject({ keepMonths: 24, monthsInForce: null, changedBy: "admin", ...because });
    expect(await getRetention(opened.system, auditor)).toMatchObject(because);
    const inDays = ((shorter.takesEffectAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(inDays).toBeGreaterThan(6.9);
    expect(inDays).toBeLessThan(7.1);
    expect(await apply()).toEqual([]);
    await changeRetention(opened.system, admin, { keepMonths: 24, ...because });
    // Said shorter and longer in turn, what is in force is what was.
    await changeRetention(opened.system, admin, { keepMonths: 12, ...because });
    expect(await getRetention(opened.system, admin)).toMatchObject({ keepMonths: 12, monthsInForce: null });
    expect(await changeRetention(opened.system, admin, { keepMonths: null, ...because })).toMatchObject({
      keepMonths: null,
      monthsInForce: null,
      takesEffectAt: undefined,
    });
    expect(await entriesOf(admin, AuditEventType.RETENTION_CHANGED)).toHaveLength(3);
  });

  test("what is out of bounds, or without why, changes nothing", async () => {
    for (const said of [
      { keepMonths: 11, ...because },
      { keepMonths: 24, reason: " " },
      { keepMonths: 24, reason: `a ghp_${"a1B2c3D4e5F6".repeat(3)}` },
    ])
      await expect(changeRetention(opened.system, admin, said)).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
    expect(await getRetention(opened.system, admin)).toMatchObject({ keepMonths: null });
  });

  test.each([
    [
      "an admin's key",
      { ...admin, caller: { ...admin.caller, actor: { type: "system", id: "k" }, credential: "key" } },
    ],
    ["an auditor", auditor],
    ["an operator", asking("operator")],
  ] as const)("D15 not by %s", async (_, asked) => {
    await expect(changeRetention(opened.system, asked, { keepMonths: 24, ...because })).rejects.toMatchObject(
      { code: "FORBIDDEN" },
    );
  });
});

describe("RET-2 RET-5 what goes", () => {
  test("the months that are past the time in force, the oldest first, each said on the record; younger ones stay", async () => {
    await makeMonth(monthsAgo(20), ["north"]);
    await changeRetention(opened.system, admin, { keepMonths: 20, ...because });
    await longAgo("north");
    expect(await apply()).toEqual([monthsAgo(30)]);
    expect(await isThere(monthsAgo(30))).toBe(false);
    expect(await isThere(monthsAgo(20))).toBe(true);
    const [said] = await entriesOf(admin, AuditEventType.RETENTION_APPLIED);
    expect(JSON.parse(said?.payload ?? "")).toMatchObject({
      action: `removed the record of ${monthsAgo(30)}`,
    });
    expect(await getRetention(opened.system, admin)).toMatchObject({ oldest: { month: monthsAgo(20) } });
  });

  test("a month in which another tenant wrote stays until that one lets it go too", async () => {
    await makeMonth(monthsAgo(28), ["north", "south"]);
    expect(await apply()).toEqual([]);
    await changeRetention(opened.system, south, { keepMonths: 12, ...because });
    expect(await apply()).toEqual([]);
    await longAgo("south");
    expect(await apply()).toEqual([monthsAgo(28)]);
    for (const asked of [admin, south]) {
      const [said] = await entriesOf(asked, AuditEventType.RETENTION_APPLIED);
      expect(said?.payload).toContain(monthsAgo(28));
    }
  });

  test("two nodes that apply it at once remove each month once, and say so once", async () => {
    await makeMonth(monthsAgo(27), ["north"]);
    const before = (await entriesOf(admin, AuditEventType.RETENTION_APPLIED)).length;
    const other = opened.another();
    const told: unknown[] = [];
    const gone = await Promise.all(
      [opened.system, other].map((system) => applyRetention(system, (reason) => void told.push(reason))),
    );
    expect(gone.flat()).toEqual([monthsAgo(27)]);
    expect(await entriesOf(admin, AuditEventType.RETENTION_APPLIED)).toHaveLength(before + 1);
  });
});

describe("RET-4 holds", () => {
  test("while one is open nothing goes; released by a person who says why, once, it goes", async () => {
    await makeMonth(monthsAgo(26), ["north"]);
    const hold = await placeHold(opened.system, auditor, { reason: "a claim" });
    expect(await apply()).toEqual([]);
    expect(await getRetention(opened.system, auditor)).toMatchObject({
      oldest: { goesAt: undefined },
      holds: [{ holdId: hold.holdId, reason: "a claim", placedBy: "auditor", releasedAt: null }],
    });
    const settled = await Promise.allSettled(
      Array.from({ length: 4 }, () => releaseHold(opened.system, admin, hold.holdId, { reason: "settled" })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(
      settled.flatMap((one) =>
        one.status === "rejected" && one.reason instanceof SignalboxError ? one.reason.code : [],
      ),
    ).toEqual(["INVALID_STATE", "INVALID_STATE", "INVALID_STATE"]);
    expect(await apply()).toEqual([monthsAgo(26)]);
    expect(await entriesOf(admin, AuditEventType.RETENTION_HOLD_PLACED)).toHaveLength(1);
    expect(await entriesOf(admin, AuditEventType.RETENTION_HOLD_RELEASED)).toHaveLength(1);
  });

  test("one that is being placed while a month goes is waited for, and stops it", async () => {
    const month = monthsAgo(29);
    await makeMonth(month, ["north"]);
    const placing = inNorth(
      `insert into signalbox.audit_holds (tenant_id, reason, placed_by) values ('north', 'in time', 'auditor');
       select pg_sleep(1)`,
    );
    await waitUntil(async () => {
      const [found] = await asSuperuser(
        `select count(*)::int as sleeping from pg_stat_activity where wait_event = 'PgSleep'`,
      );
      return found?.["sleeping"] === 1;
    });
    const told: unknown[] = [];
    expect(await applyRetention(opened.system, (reason) => void told.push(reason))).toEqual([]);
    await placing;
    expect(await isThere(month)).toBe(true);
    expect(told).toEqual([expect.objectContaining({ message: `the month ${month} is kept` })]);
    const { holds } = await getRetention(opened.system, auditor);
    const hold = holds.find(({ releasedAt }) => releasedAt === null);
    await releaseHold(opened.system, admin, hold?.holdId ?? "", because);
    expect(await apply()).toEqual([month]);
  });

  test("another tenant's hold is not there", async () => {
    const hold = await placeHold(opened.system, south, { reason: "theirs" });
    for (const holdId of [hold.holdId, "0190b3a8-8f0f-7bbb-8888-0123456789ab", "no uuid"])
      await expect(releaseHold(opened.system, admin, holdId, because)).rejects.toMatchObject({
        code: "NOT_FOUND",
        detail: "There is no such hold.",
      });
    await releaseHold(opened.system, south, hold.holdId, because);
  });
});

describe("D20 the database holds it, whatever the app asks", () => {
  test.each([
    ["a month that is kept", () => `select signalbox.remove_audit_month('${monthsAgo(20)}-01')`, "55000"],
    ["this month", () => `select signalbox.remove_audit_month('${monthsAgo(0)}-01')`, "55000"],
    ["a month that never was", () => `select signalbox.remove_audit_month('1999-01-01')`, "P0002"],
  ])("%s is not removed", async (_, text, code) => {
    await expect(inNorth(text())).rejects.toMatchObject({ code });
  });

  test("nor one that may go, without a word on the record in the same transaction", async () => {
    await makeMonth(monthsAgo(25), ["north"]);
    await expect(inNorth(`select signalbox.remove_audit_month('${monthsAgo(25)}-01')`)).rejects.toMatchObject(
      { code: "55000", message: /not on the record of tenant north/ },
    );
    expect(await isThere(monthsAgo(25))).toBe(true);
    expect(await apply()).toEqual([monthsAgo(25)]);
  });

  test.each([
    ["a year is the least", `update signalbox.audit_retention set keep_months = 11`, "23514"],
    [
      "when it takes effect is not the app's to say",
      `update signalbox.audit_retention set takes_effect_at = now()`,
      "42501",
    ],
    ["nor what held before", `update signalbox.audit_retention set earlier_months = 12`, "42501"],
    ["what was said is not taken back", `delete from signalbox.audit_retention`, "42501"],
    ["a hold is not deleted", `delete from signalbox.audit_holds`, "42501"],
    [
      "nor released again",
      `update signalbox.audit_holds set released_by = 'x', release_reason = 'y'`,
      "23001",
    ],
    ["nor its reason changed", `update signalbox.audit_holds set reason = 'x'`, "42501"],
  ])("%s", async (_, text, code) => {
    await expect(inNorth(text)).rejects.toMatchObject({ code });
  });
});
