import { create } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { HealthStatus } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asking, beat, openTestSystem, pack, register, type TestSystem } from "../testing/test-system.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { heartbeat } from "./heartbeat.ts";
import { tellOfLost } from "./lost-instances.ts";

let opened: TestSystem;
beforeAll(async () => {
  opened = await openTestSystem();
  await register(opened.system, [pack("painter")]);
});
afterAll(() => opened.end());

const told = async () => {
  const rows = await readRows(
    opened.made.url,
    "select kind, payload from signalbox.events where kind like 'instance.%' order by transaction, ordinal",
  );
  return rows.map(({ kind, payload }) => [kind, JSON.parse(String(payload)) as unknown]);
};

test("INST-4 readers are told of who is new, changes its health, is lost, once, and comes back", async () => {
  const { system } = opened;
  const another = opened.another();
  const leaseTtl = create(DurationSchema, { seconds: 1n });
  const say = (status: HealthStatus, ttl?: typeof leaseTtl) =>
    heartbeat(
      system,
      asking("agent"),
      beat("painter", "one", { health: { status }, ...(ttl === undefined ? {} : { leaseTtl: ttl }) }),
    );
  await say(HealthStatus.HEALTHY);
  await say(HealthStatus.HEALTHY);
  await say(HealthStatus.DEGRADED, leaseTtl);
  let lost = 0;
  await waitUntil(async () => {
    for (const count of await Promise.all([tellOfLost(system), tellOfLost(another)])) lost += count;
    return lost > 0;
  });
  expect(await tellOfLost(another)).toBe(0);
  await say(HealthStatus.DEGRADED);
  const ref = { packId: "painter", instanceId: "one" };
  expect(await told()).toEqual([
    ["instance.first-seen", { ...ref, healthStatus: "HEALTH_STATUS_HEALTHY" }],
    ["instance.health-changed", { ...ref, healthStatus: "HEALTH_STATUS_DEGRADED" }],
    ["instance.lost", ref],
    ["instance.returned", { ...ref, healthStatus: "HEALTH_STATUS_DEGRADED" }],
  ]);
});
