import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, readRows } from "../testing/index.ts";
import { assertNode, joinNode, leaveNode, liveNodes, renewNode } from "./nodes.ts";
import { ensureTenant, findTenant } from "./tenants.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const asserted = (nodeId: string, epoch: number) =>
  opened.database.inTenants(["east", "west"], (tx) => assertNode(tx, nodeId, epoch));

test("a node with its lease passes; a short lease, an ended one, another epoch and an unknown node do not", async () => {
  const { database } = opened;
  const lost = { fault: "LEASE_LOST" };
  const epoch = await joinNode(database, "engine", 15_000);
  await expect(asserted("engine", epoch)).resolves.toBeUndefined();
  await expect(asserted("engine", epoch + 1)).rejects.toMatchObject(lost);
  await expect(asserted("nobody", 1)).rejects.toMatchObject(lost);
  await joinNode(database, "short", 5_900);
  await expect(asserted("short", 1)).rejects.toMatchObject(lost);
  expect(await leaveNode(database, "engine", epoch)).toBe(true);
  await expect(asserted("engine", epoch)).rejects.toMatchObject(lost);
});

test("who joins under a name that is there fences the one before", async () => {
  const { database } = opened;
  const first = await joinNode(database, "named", 15_000);
  const second = await joinNode(database, "named", 15_000);
  expect(second).toBeGreaterThan(first);
  await expect(asserted("named", first)).rejects.toMatchObject({ fault: "LEASE_LOST" });
  expect(await renewNode(database, "named", first, 15_000)).toBe(false);
  expect(await renewNode(database, "named", second, 15_000)).toBe(true);
});

test("a lease that ended is not renewed", async () => {
  const { database } = opened;
  const epoch = await joinNode(database, "late", 1);
  await pause(20);
  expect(await renewNode(database, "late", epoch, 15_000)).toBe(false);
  expect((await liveNodes(database)).map(({ nodeId }) => nodeId)).not.toContain("late");
});

test("who joins clears away what ended more than a day ago, and a name that comes back is not the one before", async () => {
  const { database, made } = opened;
  const first = await joinNode(database, "gone", 15_000);
  await joinNode(database, "yesterday", 15_000);
  await readRows(
    made.url,
    `update signalbox.nodes set lease_expires_at = now() - case node_id
      when 'gone' then interval '25 hours' else interval '23 hours' end where node_id in ('gone', 'yesterday')`,
  );
  await joinNode(database, "newcomer", 15_000);
  const left = await readRows(made.url, "select node_id from signalbox.nodes order by node_id");
  const names = left.map((row) => row["node_id"]);
  expect(names).toContain("yesterday");
  expect(names).not.toContain("gone");
  expect(await joinNode(database, "gone", 15_000)).toBeGreaterThan(first);
  await expect(asserted("gone", first)).rejects.toMatchObject({ fault: "LEASE_LOST" });
});

test("what a node without a lease wrote is not kept", async () => {
  await expect(
    opened.database.inTenant("fenced", async (tx) => {
      await ensureTenant(tx, { name: "fenced" });
      await assertNode(tx, "nobody", 1);
    }),
  ).rejects.toMatchObject({ fault: "LEASE_LOST" });
  expect(await opened.database.inTenant("fenced", findTenant)).toBeUndefined();
});
