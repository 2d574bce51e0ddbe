import { afterAll, beforeAll, expect, test } from "vitest";
import { insertResults } from "../queries/results.ts";
import { insertDispatches } from "../queries/write-dispatches.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleDispatch } from "../testing/sample-rows.ts";
import { listDispatchesOf, listResultsOf } from "./dispatches.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  const sent = [
    sampleDispatch("east", "p", 1),
    { ...sampleDispatch("east", "p", 0), attemptNumber: 10 },
    { ...sampleDispatch("east", "p", 0), attemptNumber: 2 },
    sampleDispatch("east", "p", 0),
    sampleDispatch("east", "q", 0),
    sampleDispatch("west", "p", 0),
  ];
  await opened.database.inTenants(["east", "west"], async (tx) => {
    await insertDispatches(tx, sent);
    await insertResults(
      tx,
      sent.map(({ tenantId, pipelineId, stageOrder, attemptNumber }) => ({
        tenantId,
        pipelineId,
        stageOrder,
        attemptNumber,
        standing: "counted" as const,
        digest: new Uint8Array(32).fill(attemptNumber),
        result: `{"attempt":${attemptNumber}}`,
        spans: "[]",
      })),
    );
  });
});
afterAll(() => opened.end());

const placeOf = ({ stageOrder, attemptNumber }: { stageOrder: number; attemptNumber: number }) =>
  `${stageOrder}.${attemptNumber}`;

const dispatchesOf = (tenantId: string, id: string) =>
  opened.database.inTenant(tenantId, (tx) => listDispatchesOf(tx, id));

test("a pipeline's dispatches come by stage and attempt, its own tenant's alone", async () => {
  const dispatches = await dispatchesOf("east", "p");
  expect(dispatches.map(placeOf)).toEqual(["0.1", "0.2", "0.10", "1.1"]);
  expect(dispatches[0]).toMatchObject({
    packId: "painter",
    envelope: `{"of":"p"}`,
    sentAt: expect.any(Date),
  });
  expect((await dispatchesOf("west", "p")).map(placeOf)).toEqual(["0.1"]);
  expect(await dispatchesOf("west", "q")).toEqual([]);
});

const resultsOf = (tenantId: string, id: string) =>
  opened.database.inTenant(tenantId, (tx) => listResultsOf(tx, id));

test("a pipeline's results come by stage and attempt, its own tenant's alone", async () => {
  const results = await resultsOf("east", "p");
  expect(results.map(placeOf)).toEqual(["0.1", "0.2", "0.10", "1.1"]);
  expect(results[1]).toMatchObject({
    standing: "counted",
    result: `{"attempt":2}`,
    digest: Buffer.alloc(32, 2),
  });
  expect((await resultsOf("west", "p")).map(placeOf)).toEqual(["0.1"]);
  expect(await resultsOf("west", "q")).toEqual([]);
});
