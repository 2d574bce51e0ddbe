import { afterAll, beforeAll, expect, test } from "vitest";
import { insertPipelines } from "../queries/write-pipelines.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase } from "../testing/index.ts";
import { samplePipeline } from "../testing/sample-rows.ts";
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
