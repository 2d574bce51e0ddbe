import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { AgentHeartbeatSchema } from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findHeartbeatFaults, leaseMsOf } from "./heartbeat.ts";

const heartbeat = (said: { leaseMs?: number; packId?: string; instanceId?: string } = {}) =>
  create(AgentHeartbeatSchema, {
    packId: said.packId ?? "qa-engineer",
    instanceId: said.instanceId ?? "qa-1",
    ...(said.leaseMs === undefined ? {} : { leaseTtl: durationFromMs(said.leaseMs) }),
  });

test("HEART-1 a lease is as long as the heartbeat says, 30 seconds where it says nothing", () => {
  expect(leaseMsOf(heartbeat())).toBe(30_000);
  expect(leaseMsOf(heartbeat({ leaseMs: 1_500 }))).toBe(1_500);
});

test.each([
  [999, "is 0.999 s; from 1 s to 600 s is allowed"],
  [600_001, "is 600.001 s; from 1 s to 600 s is allowed"],
])("HEART-1 a lease of %d ms is refused", (leaseMs, message) => {
  expect(findHeartbeatFaults(heartbeat({ leaseMs }))).toEqual([
    { field: "lease_ttl", rule: "lease.range", message },
  ]);
});

test("HEART-1 any lease in between is let through", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 600_000 }), (leaseMs) => {
      expect(findHeartbeatFaults(heartbeat({ leaseMs }))).toEqual([]);
    }),
  );
});

test.each([
  ["pack_id", { packId: "p".repeat(401) }, "name.max_len"],
  ["instance_id", { instanceId: "i".repeat(201) }, "name.max_len"],
  ["instance_id", { instanceId: "a\0b" }, "name.fit"],
  ["instance_id", { instanceId: " a" }, "name.fit"],
  ["instance_id", { instanceId: ".." }, "name.fit"],
  ["instance_id", { instanceId: "qa\u202E1" }, "name.fit"],
  ["instance_id", { instanceId: "\uD83D" }, "name.fit"],
])("HEART-2 a name that could not be found again is refused: %s %j", (field, said, rule) => {
  expect(findHeartbeatFaults(heartbeat(said))).toEqual([{ field, rule, message: expect.any(String) }]);
});

test("HEART-2 every fault is told at once, tools included", () => {
  const said = create(AgentHeartbeatSchema, {
    packId: "..",
    instanceId: "\n",
    availableTools: ["git", "x".repeat(201), "\uD83D"],
    health: { degradedTools: Array.from({ length: 1_001 }, (_, index) => `tool-${index}`) },
  });
  expect(findHeartbeatFaults(said).map(({ field, rule }) => `${field} ${rule}`)).toEqual([
    "pack_id name.fit",
    "instance_id name.fit",
    "available_tools[1] tools.max_len",
    "available_tools[2] tools.fit",
    "health.degraded_tools tools.max_items",
  ]);
});
