import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "../connection.ts";
import { openTestDatabase } from "../testing/index.ts";
import { samplePipeline, sampleOpenDispatch, sampleStage } from "../testing/sample-rows.ts";
import { dueOpenDispatches, duePipelines, dueStages, waitingLines, wokenStages } from "./due-work.ts";
import { insertOpenDispatches } from "./write-dispatches.ts";
import { insertPipelines } from "./write-pipelines.ts";
import { insertStages } from "./write-stages.ts";

const BACKLOG = 10_000;
const PAST = Date.now() - 60_000;
const FUTURE = Date.now() + 3_600_000;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  const loud = Array.from({ length: BACKLOG }, (_, index) => `loud-${index}`);
  const { database } = opened;
  await database.inTenant("loud", async (tx) => {
    const due = loud.map((_, index) => PAST - index);
    await insertStages(
      tx,
      loud.map((id, at) =>
        sampleStage("loud", id, 0, { claimableAt: due[at] ?? null, waitingSince: due[at] ?? null }),
      ),
    );
    await insertOpenDispatches(
      tx,
      loud.map((id, at) => sampleOpenDispatch("loud", id, 0, { takeBy: due[at] ?? null })),
    );
    await insertPipelines(
      tx,
      loud.map((id, at) => samplePipeline("loud", id, { dueAt: due[at] ?? null })),
    );
  });
  await database.inTenant("quiet", async (tx) => {
    await insertStages(tx, [
      sampleStage("quiet", "q", 0, { claimableAt: PAST, waitingSince: PAST }),
      sampleStage("quiet", "later", 0, { claimableAt: FUTURE }),
    ]);
    await insertOpenDispatches(tx, [
      sampleOpenDispatch("quiet", "q", 0, { takeBy: PAST }),
      sampleOpenDispatch("quiet", "later", 0, { takeBy: FUTURE }),
    ]);
    await insertPipelines(tx, [
      samplePipeline("quiet", "q", { dueAt: PAST }),
      samplePipeline("quiet", "later", { dueAt: FUTURE }),
    ]);
  });
  await withConnection(opened.made.url, (connection) => connection.execute(sql`analyze`));
});
afterAll(() => opened.end());

const limits = { each: 3, total: 4 };

describe("a tenant with ten thousand due does not keep out one with one, and what is not due stays", () => {
  test.each([
    ["stages", dueStages],
    ["open dispatches", dueOpenDispatches],
    ["pipelines", duePipelines],
  ] as const)("%s", async (_, sweep) => {
    const found = await sweep(opened.database, limits);
    expect(found.map(({ tenantId, pipelineId }) => `${tenantId}/${pipelineId}`)).toEqual([
      `loud/loud-${BACKLOG - 1}`,
      "quiet/q",
      `loud/loud-${BACKLOG - 2}`,
      `loud/loud-${BACKLOG - 3}`,
    ]);
    const two = await sweep(opened.database, { each: 100, total: 2 });
    expect(two.map(({ tenantId }) => tenantId)).toEqual(["loud", "quiet"]);
  });
});

test("those that waited longest are woken, of the task types that were named", async () => {
  const pairs = ["loud", "quiet"].map((tenantId) => ({ tenantId, taskType: "paint" }));
  const woken = await wokenStages(opened.database, pairs, 2);
  expect(woken.map(({ pipelineId }) => pipelineId)).toEqual([
    `loud-${BACKLOG - 1}`,
    "q",
    `loud-${BACKLOG - 2}`,
  ]);
  expect(await wokenStages(opened.database, [{ tenantId: "loud", taskType: "varnish" }], 2)).toEqual([]);
});

describe("a sweep reads its index and not the backlog", () => {
  test.each([
    ["stages", "claimable_at", "stages_by_claim_time"],
    ["open_dispatches", "due_at", "open_dispatches_by_due_time"],
    ["pipelines", "due_at", "pipelines_by_due_time"],
  ])("%s", async (table, column, index) => {
    const [row] = await withConnection(opened.made.url, (connection) =>
      connection.execute(sql`
        select pg_get_function_sqlbody(oid) as body from pg_proc
        where proname = ${`due_${table}`}`),
    );
    const body = String(row?.["body"])
      .replace(/^\s*BEGIN ATOMIC/, "")
      .replace(/;\s*END\s*$/, "")
      .replaceAll(/\bdue_\w+\.each\b/g, "3")
      .replaceAll(/\bdue_\w+\.total\b/g, "4");
    expect(body).toContain(column);
    const plan = await withConnection(opened.made.url, (connection) =>
      connection.execute(sql.raw(`explain (analyze, buffers off, timing off, summary off) ${body}`)),
    );
    const lines = plan.map((line) => String(line["QUERY PLAN"]));
    expect(lines.join("\n")).toContain(index);
    expect(lines.join("\n")).not.toContain("Seq Scan");
    const most = Math.max(...lines.map((line) => Number(/actual rows=([\d.]+)/.exec(line)?.[1] ?? 0)));
    expect(most).toBeLessThan(20);
  });
});

describe("the lines in which stages wait", () => {
  test("are counted tenant by tenant and task type by task type, up to the bound, and what does not wait is in none", async () => {
    await opened.database.inTenants(["east", "west"], (tx) =>
      insertStages(tx, [
        sampleStage("east", "a", 0, { waitingSince: PAST }),
        sampleStage("east", "b", 0, { waitingSince: FUTURE }),
        sampleStage("east", "c", 0, { waitingSince: PAST, taskType: "sand" }),
        sampleStage("east", "d", 0),
        sampleStage("west", "a", 0, { waitingSince: PAST, taskType: "sand" }),
      ]),
    );
    const lines = await waitingLines(opened.database, 100);
    expect(lines).toEqual([
      { tenantId: "east", taskType: "paint", waiting: 2 },
      { tenantId: "east", taskType: "sand", waiting: 1 },
      { tenantId: "loud", taskType: "paint", waiting: 100 },
      { tenantId: "quiet", taskType: "paint", waiting: 1 },
      { tenantId: "west", taskType: "sand", waiting: 1 },
    ]);
    const [paint] = await waitingLines(opened.database, 1);
    expect(paint).toEqual({ tenantId: "east", taskType: "paint", waiting: 1 });
  });
});
