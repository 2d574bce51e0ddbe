import { afterAll, beforeAll, expect, test } from "vitest";
import type { BatchTransaction } from "../database.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleOpenDispatch } from "../testing/sample-rows.ts";
import { findBreakers, loadBreakersSince, openDispatchCounts } from "./load-registry.ts";
import { saveBreakers } from "./save-breakers.ts";
import { insertOpenDispatches } from "./write-dispatches.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
const within = <T>(work: (tx: BatchTransaction) => Promise<T>) =>
  opened.database.inTenants(["east", "west"], work);
const breaker = (tenantId: string, taskType: string, change: number) => ({
  tenantId,
  packId: "painter",
  taskType,
  change,
  state: `{"change":${change}}`,
});
beforeAll(async () => {
  opened = await openTestDatabase();
  await within((tx) =>
    saveBreakers(tx, [breaker("east", "paint", 1), breaker("east", "sand", 2), breaker("west", "paint", 9)]),
  );
  await within((tx) => saveBreakers(tx, [breaker("east", "paint", 3)]));
});
afterAll(() => opened.end());

const since = async (tenantId: string, change: number) =>
  (await within((tx) => loadBreakersSince(tx, tenantId, change))).toSorted((a, b) => a.change - b.change);

test("breakers are loaded as they are now, those that changed later than what is known, of one tenant of the batch", async () => {
  const sand = { packId: "painter", taskType: "sand", change: 2, state: `{"change":2}` };
  const paint = { packId: "painter", taskType: "paint", change: 3, state: `{"change":3}` };
  expect(await since("east", -1)).toEqual([sand, paint]);
  expect(await since("east", 2)).toEqual([paint]);
  expect(await since("east", 3)).toEqual([]);
  expect(await since("west", -1)).toMatchObject([{ change: 9 }]);
});

const key = (tenantId: string, taskType: string) => ({ tenantId, packId: "painter", taskType });

test("breakers are found by their names, and one that never moved is not there", async () => {
  const found = await within((tx) =>
    findBreakers(tx, [key("east", "paint"), key("west", "paint"), key("west", "sand")]),
  );
  expect(found.toSorted((a, b) => a.tenantId.localeCompare(b.tenantId))).toEqual([
    { ...key("east", "paint"), state: `{"change":3}` },
    { ...key("west", "paint"), state: `{"change":9}` },
  ]);
  expect(await within((tx) => findBreakers(tx, []))).toEqual([]);
});

test("open dispatches are counted by instance, of one tenant of the batch", async () => {
  await within((tx) =>
    insertOpenDispatches(tx, [
      sampleOpenDispatch("east", "p", 0),
      sampleOpenDispatch("east", "p", 1),
      sampleOpenDispatch("east", "q", 0, { instanceId: "two" }),
      sampleOpenDispatch("west", "p", 0),
    ]),
  );
  const counts = async (tenantId: string) =>
    (await within((tx) => openDispatchCounts(tx, tenantId))).toSorted((a, b) => b.open - a.open);
  expect(await counts("east")).toEqual([
    { packId: "painter", instanceId: "one", open: 2 },
    { packId: "painter", instanceId: "two", open: 1 },
  ]);
  expect(await counts("west")).toEqual([{ packId: "painter", instanceId: "one", open: 1 }]);
});
