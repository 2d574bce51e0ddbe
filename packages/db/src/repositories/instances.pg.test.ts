import { afterAll, beforeAll, expect, test } from "vitest";
import type { BatchTransaction } from "../database.ts";
import { listSilentPacks } from "../queries/alert-facts.ts";
import { clearInvalidCounts } from "../queries/clear-invalid-counts.ts";
import type { InstanceRow } from "../queries/load-registry.ts";
import { saveHeartbeats } from "../queries/save-heartbeats.ts";
import { saveStanding } from "../queries/save-standing.ts";
import { insertOpenDispatches } from "../queries/write-dispatches.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleOpenDispatch } from "../testing/sample-rows.ts";
import { type InstanceCursor, listInstances } from "./instances.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
const within = <T>(work: (tx: BatchTransaction) => Promise<T>) =>
  opened.database.inTenants(["east", "west"], work);
const beat = (tenantId: string, packId: string, instanceId: string) => ({
  tenantId,
  packId,
  instanceId,
  heartbeat: "{}",
  packVersion: null,
  health: 1,
  isUnwell: false,
  leaseMs: 60_000,
});
beforeAll(async () => {
  opened = await openTestDatabase();
  await within((tx) =>
    saveHeartbeats(tx, [
      beat("east", "painter", "two"),
      beat("east", "painter", "one"),
      beat("east", "baker", "two"),
      beat("east", "painter", "three"),
      beat("west", "painter", "one"),
    ]),
  );
});
afterAll(() => opened.end());

const listed = (tenantId: string, limit: number, packId?: string) =>
  opened.database.inTenant(tenantId, (tx) =>
    everyPage<InstanceRow, InstanceCursor>(async (after) => {
      const { instances, next } = await listInstances(tx, { limit, after, packId });
      expect(instances.length).toBeLessThanOrEqual(limit);
      return { rows: instances, next };
    }),
  );
const names = (rows: readonly InstanceRow[]) =>
  rows.map(({ packId, instanceId }) => `${packId} ${instanceId}`);

test.each([1, 2, 3, 4, 100])(
  "pages of %d meet each of the tenant's instances once, by name",
  async (limit) => {
    const painters = ["painter one", "painter three", "painter two"];
    expect(names(await listed("east", limit))).toEqual(["baker two", ...painters]);
    expect(names(await listed("east", limit, "painter"))).toEqual(painters);
    expect(names(await listed("west", limit))).toEqual(["painter one"]);
    expect(await listed("west", limit, "baker")).toEqual([]);
  },
);

test("DSP-64 a heartbeat's row says how many dispatches its instance had when it was heard", async () => {
  await within((tx) =>
    insertOpenDispatches(tx, [
      sampleOpenDispatch("east", "p"),
      sampleOpenDispatch("east", "q"),
      sampleOpenDispatch("west", "p"),
    ]),
  );
  await within((tx) => saveHeartbeats(tx, [beat("east", "painter", "one"), beat("east", "painter", "two")]));
  const counts = (await listed("east", 10, "painter")).map((row) => row.dispatchesWhenHeard);
  expect(counts).toEqual([2, 0, 0]);
});

const left = (rows: readonly InstanceRow[]) =>
  rows.map(
    ({ instanceId, consecutiveInvalid, lastError }) => `${instanceId} ${consecutiveInvalid} ${lastError}`,
  );

test("D7 a valid result clears the count of its own instance, of none that is quarantined or on probation, and of no other tenant's", async () => {
  const standing = {
    packId: "painter",
    change: 2,
    lastError: "late",
    quarantinedAt: null,
    byResults: false,
    probationSince: null,
  };
  await within((tx) => saveHeartbeats(tx, [beat("east", "painter", "four")]));
  await within((tx) =>
    saveStanding(tx, [
      { ...standing, tenantId: "east", instanceId: "one", consecutiveInvalid: 2 },
      {
        ...standing,
        tenantId: "east",
        instanceId: "two",
        consecutiveInvalid: 3,
        quarantinedAt: 1_790_000_000_000,
      },
      { ...standing, tenantId: "east", instanceId: "three", consecutiveInvalid: 1 },
      { ...standing, tenantId: "west", instanceId: "one", consecutiveInvalid: 1 },
      {
        ...standing,
        tenantId: "east",
        instanceId: "four",
        consecutiveInvalid: 2,
        probationSince: 1_790_000_000_000,
      },
    ]),
  );
  const sound = ["one", "two", "four", "one", "gone"].map((instanceId) => ({
    tenantId: "east",
    packId: "painter",
    instanceId,
  }));
  await within((tx) => clearInvalidCounts(tx, sound));
  expect(left(await listed("east", 10, "painter"))).toEqual([
    "four 2 late",
    "one 0 ",
    "three 1 late",
    "two 3 late",
  ]);
  expect(left(await listed("west", 10, "painter"))).toEqual(["one 1 late"]);
});

const silent = () =>
  opened.database.inTenant("north", (tx) => listSilentPacks(tx, { healthy: 1, limit: 10 }));
test("ALERT-3 a pack of which no instance is there and healthy is named, with the moment from which none was", async () => {
  const save = (...beats: ReturnType<typeof beat>[]) =>
    opened.database.inTenants(["north"], (tx) => saveHeartbeats(tx, beats));
  const degraded = { ...beat("north", "baker", "one"), health: 2, isUnwell: true };
  const gone = { ...beat("north", "painter", "two"), leaseMs: -60_000 };
  await save(beat("north", "painter", "one"), gone, degraded);
  const [baker, ...others] = await silent();
  expect([baker, others]).toEqual([{ packId: "baker", instances: 1, since: expect.any(Number) }, []]);
  // Worse is as little well as before, and well again is well from then on.
  await save({ ...degraded, health: 3 });
  expect(await silent()).toEqual([baker]);
  await save(beat("north", "baker", "one"));
  expect(await silent()).toEqual([]);
  await save(degraded);
  expect((await silent())[0]?.since).toBeGreaterThan(baker?.since ?? 0);
  await save({ ...beat("north", "painter", "one"), leaseMs: -30_000 });
  const [, painter] = await silent();
  expect(painter).toMatchObject({ packId: "painter", instances: 2 });
  expect(Date.now() - (painter?.since ?? 0)).toBeGreaterThan(29_000);
  expect(Date.now() - (painter?.since ?? 0)).toBeLessThan(59_000);
});
