import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { AgentHeartbeatSchema, HealthStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { instanceFacts } from "./registry-facts.ts";

const known = {
  packVersion: "1.0.0",
  dispatches: 2,
  dispatchesWhenHeard: 2,
  leaseExpiresAt: 5_000,
  draining: false,
  quarantined: false,
};
const heartbeat = create(AgentHeartbeatSchema, {
  packId: "a",
  instanceId: "1",
  health: { status: HealthStatus.HEALTHY, avgLatency1m: durationFromMs(1_500), degradedTools: ["go"] },
  capacity: { activeTasks: 3, maxTasks: 8 },
  availableTools: ["npm"],
});

test("DSP-64: a heartbeat's facts, with the work of others told apart from ours", () => {
  expect(instanceFacts(heartbeat, known)).toEqual({
    packId: "a",
    instanceId: "1",
    packVersion: "1.0.0",
    health: HealthStatus.HEALTHY,
    dispatches: 2,
    otherTasks: 1,
    maxTasks: 8,
    avgLatencyMs: 1_500,
    availableTools: ["npm"],
    degradedTools: ["go"],
    leaseExpiresAt: 5_000,
    draining: false,
  });
  expect(instanceFacts(heartbeat, { ...known, dispatchesWhenHeard: 5 }).otherTasks).toBe(0);
});

test("DSP-64: what was ours when the heartbeat was heard is not the work of others once it is done", () => {
  const done = { ...known, dispatches: 0, dispatchesWhenHeard: 3 };
  expect(instanceFacts(heartbeat, done)).toMatchObject({ dispatches: 0, otherTasks: 0 });
});

test("DSP-64: the version that an instance says it runs counts, and what is known of it where it says none", () => {
  const newer = create(AgentHeartbeatSchema, { ...heartbeat, packVersion: "2.0.0" });
  expect(instanceFacts(newer, known).packVersion).toBe("2.0.0");
  expect(instanceFacts(heartbeat, { ...known, packVersion: undefined }).packVersion).toBeUndefined();
});

test("DSP-64 (D7): no heartbeat speaks an instance out of its quarantine", () => {
  expect(instanceFacts(heartbeat, { ...known, quarantined: true }).health).toBe(HealthStatus.QUARANTINED);
});

test("DSP-64: a heartbeat that says nothing says nothing", () => {
  const bare = create(AgentHeartbeatSchema, { packId: "a", instanceId: "1" });
  expect(instanceFacts(bare, { ...known, dispatches: 0, dispatchesWhenHeard: 0 })).toMatchObject({
    health: HealthStatus.UNSPECIFIED,
    maxTasks: undefined,
    avgLatencyMs: 0,
    otherTasks: 0,
  });
});
