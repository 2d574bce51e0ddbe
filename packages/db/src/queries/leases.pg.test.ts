import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BatchTransaction } from "../database.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleDispatch, sampleOpenDispatch } from "../testing/sample-rows.ts";
import { deleteCancelSignals, insertCancelSignals, readCancelSignals } from "./cancel-signals.ts";
import { findDispatches } from "./find-dispatches.ts";
import { lockOpenDispatches } from "./lock-open-dispatches.ts";
import { renewLeases } from "./renew-leases.ts";
import { findResults, insertResults } from "./results.ts";
import { returnEnvelopes } from "./return-envelopes.ts";
import { takeEnvelopes } from "./take-envelopes.ts";
import { deleteOpenDispatches, insertDispatches, insertOpenDispatches } from "./write-dispatches.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const within = <T>(work: (tx: BatchTransaction) => Promise<T>) =>
  opened.database.inTenants(["east", "west"], work);
const send = (
  tenantId: string,
  pipelineId: string,
  more: { leaseMs?: number; takeBy?: number; timeoutAt?: number } = {},
) =>
  within(async (tx) => {
    await insertDispatches(tx, [sampleDispatch(tenantId, pipelineId)]);
    await insertOpenDispatches(tx, [sampleOpenDispatch(tenantId, pipelineId, 0, more)]);
  });
const dispatch = (tenantId: string, pipelineId: string) => ({
  tenantId,
  pipelineId,
  stageOrder: 0,
  attemptNumber: 1,
});
const one = (tenantId: string) => ({ tenantId, packId: "painter", instanceId: "one" });
const take = (tenantId: string, max: number) =>
  within((tx) => takeEnvelopes(tx, [{ ...one(tenantId), max, leaseMs: 60_000 }]));

test("envelopes go once, the oldest first, to the instance they were sent to and to no other tenant's", async () => {
  for (const id of ["a", "b", "c"]) {
    await send("east", id);
    await pause(2);
  }
  expect(await take("west", 10)).toEqual([]);
  const first = await take("east", 2);
  expect(first.map(({ envelope }) => envelope).toSorted()).toEqual([`{"of":"a"}`, `{"of":"b"}`]);
  expect(first.every(({ leaseExpiresAt }) => leaseExpiresAt > Date.now())).toBe(true);
  const races = await Promise.all([take("east", 10), take("east", 10), take("east", 10)]);
  expect(races.flat().map(({ pipelineId }) => pipelineId)).toEqual(["c"]);
});

test("one that nobody got can be taken again", async () => {
  await send("west", "back");
  const [taken] = await take("west", 1);
  expect(taken).toMatchObject({ pipelineId: "back" });
  await within((tx) => returnEnvelopes(tx, [dispatch("west", "back")], 1000));
  expect(await take("west", 1)).toHaveLength(1);
});

test("D8: a lease is renewed while it lasts; one that ended, or was never taken, is not", async () => {
  await send("east", "alive", { leaseMs: 60_000, timeoutAt: Date.now() + 5000 });
  await send("east", "ended", { leaseMs: 1 });
  await send("east", "waiting", { takeBy: 1_900_000_000_000 });
  await pause(10);
  const keys = ["alive", "ended", "waiting"].map((id) => dispatch("east", id));
  const renewed = await within((tx) =>
    renewLeases(
      tx,
      keys.map((key) => Object.assign({ leaseMs: 90_000 }, key)),
    ),
  );
  expect(renewed.map(({ pipelineId }) => pipelineId)).toEqual(["alive"]);
  const open = await within((tx) => lockOpenDispatches(tx, keys));
  const [alive, ended, waiting] = open;
  expect(alive?.dueAt).toBe(alive?.timeoutAt);
  expect(ended?.dueAt).toBe(ended?.leaseExpiresAt);
  expect(waiting).toMatchObject({ handedAt: null, leaseExpiresAt: null, dueAt: 1_900_000_000_000 });
});

test("a dispatch that is over is gone from the open ones and stays on record", async () => {
  await send("east", "over", { leaseMs: 60_000 });
  const keys = [dispatch("east", "over")];
  await within((tx) => deleteOpenDispatches(tx, keys));
  expect(await within((tx) => lockOpenDispatches(tx, keys))).toEqual([]);
  expect(await within((tx) => findDispatches(tx, keys))).toMatchObject([
    { ...keys[0], packId: "painter", instanceId: "one", policyVersion: "1.0.0" },
  ]);
});

test("D6: the first result of a dispatch is kept, whatever comes after", async () => {
  const key = dispatch("east", "reported");
  const report = (standing: "counted" | "stale", fill: number) =>
    within((tx) =>
      insertResults(tx, [
        { ...key, standing, digest: new Uint8Array(32).fill(fill), result: `{"n":${fill}}`, spans: "[]" },
      ]),
    );
  await report("counted", 1);
  await report("stale", 2);
  expect(await within((tx) => findResults(tx, [key]))).toMatchObject([
    { ...key, standing: "counted", digest: Buffer.alloc(32, 1) },
  ]);
});

test("an agent is told to stop until it reports, or was told for long enough", async () => {
  await send("east", "p");
  const signals = ["p-d0.1", "p-d1.1"].map((dispatchId) => Object.assign({ dispatchId }, one("east")));
  const told = (keepMs: number) => within((tx) => readCancelSignals(tx, [one("east"), one("west")], keepMs));
  await within((tx) => insertCancelSignals(tx, signals));
  await within((tx) => insertCancelSignals(tx, signals));
  expect(await told(60_000)).toHaveLength(2);
  await within((tx) => deleteCancelSignals(tx, [{ ...dispatch("east", "p"), dispatchId: "p-d0.1" }]));
  expect(await told(60_000)).toEqual(signals.slice(1));
  await pause(10);
  expect(await told(1)).toEqual([]);
  expect(await told(60_000)).toEqual([]);
});
