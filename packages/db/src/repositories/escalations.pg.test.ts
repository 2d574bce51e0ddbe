import { afterAll, beforeAll, expect, test } from "vitest";
import { closeEscalations, openEscalations } from "../queries/write-escalations.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase, readRows } from "../testing/index.ts";
import { insertEvents } from "../queries/insert-events.ts";
import { findAlertFacts } from "../queries/alert-facts.ts";
import { type AlertCursor, listAlerts, type StoredAlert } from "../queries/list-alerts.ts";
import { insertComment, lastCommentOrdinal, listComments } from "./escalation-comments.ts";
import {
  assignEscalation,
  countOpenEscalations,
  type EscalationCursor,
  type EscalationFilter,
  findEscalation,
  listEscalations,
  listLikeEscalations,
  lockEscalation,
  type StoredEscalation,
} from "./escalations.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
const question = (tenantId: string, pipelineId: string, number: number) => ({
  tenantId,
  pipelineId,
  number,
  stageId: null,
  cause: "gate",
  taskType: "paint",
  packId: number === 2 ? "painter" : null,
  refusal: null,
  escalation: `{"number":${number}}`,
});
beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.inTenants(["east", "west"], (tx) =>
    openEscalations(tx, [
      question("east", "p", 1),
      question("east", "p", 2),
      question("east", "q", 1),
      question("west", "p", 1),
    ]),
  );
  await opened.database.inTenants(["east", "west"], async (tx) => {
    await openEscalations(tx, [question("east", "p", 10), question("east", "a", 1)]);
    await closeEscalations(tx, [
      { tenantId: "east", pipelineId: "p", number: 1, closing: `{"by":"ada"}` },
      { tenantId: "east", pipelineId: "a", number: 1, closing: "{}" },
    ]);
  });
});
afterAll(() => opened.end());

const listed = (tenantId: string, limit: number, open?: boolean) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const rows = await everyPage<StoredEscalation, EscalationCursor>(async (after) => {
      const { escalations, next } = await listEscalations(tx, { limit, after, open });
      expect(escalations.length).toBeLessThanOrEqual(limit);
      return { rows: escalations, next };
    });
    return rows.map(({ pipelineId, number }) => `${pipelineId}${number}`);
  });

test.each([1, 2, 3, 100])(
  "pages of %d meet each of the tenant's questions once, newest first",
  async (limit) => {
    expect(await listed("east", limit)).toEqual(["p10", "a1", "q1", "p2", "p1"]);
    expect(await listed("east", limit, true)).toEqual(["p10", "q1", "p2"]);
    expect(await listed("east", limit, false)).toEqual(["a1", "p1"]);
    expect(await listed("west", limit)).toEqual(["p1"]);
  },
);

const find = (tenantId: string, number: number) =>
  opened.database.inTenant(tenantId, (tx) => findEscalation(tx, "p", number));

test("a question is found with its answer, by its own tenant alone", async () => {
  expect(await find("east", 1)).toMatchObject({
    cause: "gate",
    closing: `{"by":"ada"}`,
    closedAt: expect.any(Date),
  });
  expect(await find("east", 2)).toMatchObject({ closing: null, closedAt: null });
  expect(await find("west", 2)).toBeUndefined();
});

const names = async (tenantId: string, filter: EscalationFilter, order?: "newest" | "oldest") =>
  opened.database.inTenant(tenantId, async (tx) => {
    const { escalations } = await listEscalations(tx, { limit: 100, order, ...filter });
    return escalations.map(({ pipelineId, number }) => `${pipelineId}${number}`);
  });

test("a list is narrowed by pack, cause, pipeline, assignee and age, and turned about", async () => {
  expect(await names("east", {}, "oldest")).toEqual(["p1", "p2", "q1", "a1", "p10"]);
  expect(await names("east", { packId: "painter" })).toEqual(["p2"]);
  expect(await names("east", { cause: "deadline" })).toEqual([]);
  expect(await names("east", { pipelineId: "q" })).toEqual(["q1"]);
  expect(await names("east", { agedMs: { from: 0, below: 60_000 } })).toEqual(["p10", "q1", "p2"]);
  expect(await names("east", { agedMs: { from: 60_000, below: Number.POSITIVE_INFINITY } })).toEqual([]);
});

test("a question is assigned and let go; it is nobody else's, and not another tenant's", async () => {
  const place = { pipelineId: "p", number: 2 };
  const assigned = (assigneeId: string | null) =>
    opened.database.inTenant("east", async (tx) => {
      await assignEscalation(tx, { ...place, assigneeId });
      return lockEscalation(tx, place);
    });
  expect(await assigned("ada")).toMatchObject({ assigneeId: "ada", assignedAt: expect.any(Date) });
  expect(await names("east", { assigneeId: "ada" })).toEqual(["p2"]);
  expect(await names("east", { assigneeId: null, open: true })).toEqual(["p10", "q1"]);
  const counted = { most: 100, lateMs: 0, memberId: "ada" };
  const count = (tenantId: string, most = 100) =>
    opened.database.inTenant(tenantId, (tx) => countOpenEscalations(tx, { ...counted, most }));
  expect(await count("east")).toEqual({ open: 3, late: 3, own: 1 });
  expect(await count("east", 2)).toMatchObject({ open: 2 });
  expect(await count("west")).toEqual({ open: 1, late: 1, own: 0 });
  expect(await assigned(null)).toMatchObject({ assigneeId: null, assignedAt: null });
  await opened.database.inTenant("west", (tx) => assignEscalation(tx, { ...place, assigneeId: "eve" }));
  expect(await find("east", 2)).toMatchObject({ assigneeId: null });
});

test("like questions are closed ones of the same cause and task type, without itself", async () => {
  const like = await opened.database.inTenant("east", (tx) =>
    listLikeEscalations(tx, { pipelineId: "p", number: 1, cause: "gate", taskType: "paint" }, 5),
  );
  expect(like.map(({ pipelineId, number }) => `${pipelineId}${number}`)).toEqual(["a1"]);
});

test("comments stand in order, in their own tenant", async () => {
  const place = { pipelineId: "p", number: 2 };
  const said = await opened.database.inTenant("east", async (tx) => {
    for (const text of ["first", "second"]) {
      const ordinal = (await lastCommentOrdinal(tx, place)) + 1;
      await insertComment(tx, { ...place, ordinal, authorId: "ada", text });
    }
    return listComments(tx, place);
  });
  expect(said).toEqual([
    { ordinal: 1, authorId: "ada", text: "first", createdAt: expect.any(Date) },
    { ordinal: 2, authorId: "ada", text: "second", createdAt: expect.any(Date) },
  ]);
  expect(await opened.database.inTenant("west", (tx) => listComments(tx, place))).toEqual([]);
});

test("alerts are listed the latest first, in pages, in their own tenant", async () => {
  for (const ordinal of [1, 2, 3])
    await opened.database.inTenants(["east", "west"], (tx) =>
      insertEvents(tx, [
        { tenantId: "east", pipelineId: "p", kind: "alert.raised", payload: `{"n":${ordinal}}` },
        { tenantId: "east", pipelineId: null, kind: "pack.registered", payload: "{}" },
        { tenantId: "west", pipelineId: null, kind: "alert.raised", payload: `{"n":9}` },
      ]),
    );
  const payloads = await opened.database.inTenant("east", async (tx) => {
    const rows = await everyPage<StoredAlert, AlertCursor>(async (after) => {
      const { alerts, next } = await listAlerts(tx, { limit: 2, after });
      return { rows: alerts, next };
    });
    return rows.map(({ payload, pipelineId, recordedAt }) => [
      payload,
      pipelineId,
      recordedAt instanceof Date,
    ]);
  });
  expect(payloads).toEqual([3, 2, 1].map((n) => [`{"n":${n}}`, "p", true]));
});

test("what calls for somebody now is counted of what is open and of what was answered, by tenant", async () => {
  const of = (tenant: string, most: number) =>
    opened.database.inTenant(tenant, (tx) =>
      findAlertFacts(tx, { most, percentile: 0.95, without: ["queue-full"] }),
    );
  await opened.database.inTenants(["north"], async (tx) => {
    const refused = { ...question("north", "r", 1), cause: "dispatch-refused", refusal: "no-route" };
    await openEscalations(tx, [refused, question("north", "r", 2), question("north", "r", 3)]);
    await closeEscalations(tx, [
      { tenantId: "north", pipelineId: "r", number: 2, closing: `{"kind":"superseded"}` },
      { tenantId: "north", pipelineId: "r", number: 3, closing: `{"kind":"resolved"}` },
    ]);
  });
  const north = await of("north", 0);
  expect(north).toMatchObject({ open: 1, refused: 1, answered: 1 });
  expect(north.tooManySince).toBe(north.refusedSince);
  expect(north.slowMs).toBeTypeOf("number");
  expect((await of("north", 1)).tooManySince).toBeNull();
  const full = { cause: "dispatch-refused", refusal: "queue-full" };
  await opened.database.inTenants(["north"], (tx) =>
    openEscalations(tx, [{ ...question("north", "r", 4), ...full }]),
  );
  expect(await of("north", 0)).toMatchObject({ open: 2, refused: 1, refusedSince: north.refusedSince });
  expect(await of("south", 3)).toMatchObject({
    open: 0,
    tooManySince: null,
    refusedSince: null,
    slowMs: null,
  });
});

const shift = (number: number, asked: string, answered: string) => `update signalbox.escalations
  set opened_at = now() - interval '${asked}', closed_at = now() - interval '${answered}'
  where tenant_id = 'slow' and number = ${number}`;
test("ALERT-4 what was asked long ago and answered lately counts; what was answered long ago does not", async () => {
  const of = () =>
    opened.database.inTenant("slow", (tx) =>
      findAlertFacts(tx, { most: 3, percentile: 0.95, without: ["-"] }),
    );
  const close = (number: number) =>
    opened.database.inTenants(["slow"], async (tx) => {
      await openEscalations(tx, [question("slow", "s", number)]);
      await closeEscalations(tx, [
        { tenantId: "slow", pipelineId: "s", number, closing: `{"kind":"resolved"}` },
      ]);
    });
  await close(1);
  await readRows(opened.made.url, shift(1, "9 days", "2 days"));
  expect(await of()).toMatchObject({ answered: 0, slowMs: null });
  await close(2);
  await readRows(opened.made.url, shift(2, "3 days", "1 hour"));
  const { answered, slowMs } = await of();
  expect(answered).toBe(1);
  expect(slowMs).toBeCloseTo(71 * 3_600_000, -1);
});
