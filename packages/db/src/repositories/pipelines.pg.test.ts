import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertDispatches } from "../queries/write-dispatches.ts";
import { insertPipelines } from "../queries/write-pipelines.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleDispatch, samplePipeline } from "../testing/sample-rows.ts";
import { findPipeline, findPipelinesOfTrace, listPipelines } from "./pipelines.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  // Those of one batch were begun at the same moment: only their ids tell them apart.
  for (const batch of [
    ["a", "c", "b"],
    ["e", "d"],
    ["f", "g"],
  ]) {
    await opened.database.inTenants(["east", "west"], (tx) =>
      insertPipelines(tx, [
        ...batch.map((id) =>
          samplePipeline("east", id, { status: id < "d" ? 2 : 4, traceId: batch.join("") }),
        ),
        samplePipeline("west", batch[0] ?? ""),
      ]),
    );
    // A caller's bound is a millisecond: two batches within one could not be told apart by it.
    await pause(2);
  }
});
afterAll(() => opened.end());

const listed = (tenantId: string, limit: number, status?: number) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const rows = await everyPage<{ pipelineId: string }, Parameters<typeof listPipelines>[1]["after"]>(
      async (after) => {
        const page = await listPipelines(tx, { limit, after, status });
        expect(page.pipelines.length).toBeLessThanOrEqual(limit);
        return { rows: page.pipelines, next: page.next };
      },
    );
    return rows.map(({ pipelineId }) => pipelineId);
  });

test.each([1, 2, 3, 7, 100])(
  "pages of %d meet each of the tenant's pipelines once, newest first",
  async (limit) => {
    expect(await listed("east", limit)).toEqual(["g", "f", "e", "d", "c", "b", "a"]);
    expect(await listed("west", limit)).toEqual(["f", "e", "a"]);
  },
);

test.each([1, 2, 100])("with a status, in pages of %d, only those that have it", async (limit) => {
  expect(await listed("east", limit, 2)).toEqual(["c", "b", "a"]);
  expect(await listed("east", limit, 4)).toEqual(["g", "f", "e", "d"]);
  expect(await listed("east", limit, 9)).toEqual([]);
});

const found = (filter: Partial<Parameters<typeof listPipelines>[1]>) =>
  opened.database.inTenant("east", async (tx) => {
    const { pipelines } = await listPipelines(tx, { limit: 100, ...filter });
    return pipelines.map(({ pipelineId }) => pipelineId);
  });

test("a text is looked for as it is, in any case, and never as a pattern", async () => {
  const everyone = await found({});
  expect(await found({ text: "PAINT A DOOR" })).toEqual(everyone);
  expect(await found({ text: "B" })).toContain("b");
  for (const text of ["%", "_____________", "\\"]) expect(await found({ text })).toEqual([]);
});

test("a time bounds what is listed: its beginning is in it, its end is not", async () => {
  const [newest] = await opened.database.inTenant(
    "east",
    async (tx) => (await listPipelines(tx, { limit: 1 })).pipelines,
  );
  const at = newest?.createdAt ?? new Date(0);
  expect(await found({ from: at })).toEqual(["g", "f"]);
  expect(await found({ to: at })).toEqual(["e", "d", "c", "b", "a"]);
});

test("a pack finds what was sent to it", async () => {
  await opened.database.inTenants(["east"], (tx) =>
    insertDispatches(tx, [{ ...sampleDispatch("east", "d"), packId: "builder" }]),
  );
  expect(await found({ packId: "builder" })).toEqual(["d"]);
  expect(await found({ packId: "nobody" })).toEqual([]);
});

test("a pipeline is found by its id and by its trace, of its own tenant alone", async () => {
  const { database } = opened;
  const inWest = <T>(work: (tx: Parameters<typeof findPipeline>[0]) => Promise<T>) =>
    database.inTenant("west", work);
  expect(await database.inTenant("east", (tx) => findPipeline(tx, "b"))).toMatchObject({
    pipelineId: "b",
    status: 2,
  });
  expect(await inWest((tx) => findPipeline(tx, "b"))).toBeUndefined();
  const traced = await database.inTenant("east", (tx) => findPipelinesOfTrace(tx, "acb"));
  expect(traced.map(({ pipelineId }) => pipelineId)).toEqual(["a", "b", "c"]);
  expect(await inWest((tx) => findPipelinesOfTrace(tx, "acb"))).toEqual([]);
});
