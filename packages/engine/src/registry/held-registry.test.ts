import { create } from "@bufbuild/protobuf";
import {
  type AgentManifest,
  AgentHeartbeatSchema,
  AgentManifestSchema,
  HealthStatus,
} from "@signalbox/contracts";
import {
  type BreakerFacts,
  findInstance,
  FORGET_AFTER_MS,
  GOOD_STANDING,
  type KnownInstance,
} from "@signalbox/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutPolicy } from "../documents/document-cache.ts";
import {
  type HeldRegistry,
  newRegistry,
  prune,
  type RegistryNews,
  takeCounts,
  takeDelta,
  takeNews,
} from "./held-registry.ts";
import { instanceKey } from "./open-counts.ts";

const NOW = 1_790_000_000_000;
const orchestrator = { version: "1.0.0", schemaVersion: "1.0.0" };
const manifest = (packId: string): AgentManifest =>
  create(AgentManifestSchema, { packId, packVersion: "1.0.0" });
const instance = (instanceId: string, maxTasks: number, leaseExpiresAt = NOW + 1_000): KnownInstance => ({
  heartbeat: create(AgentHeartbeatSchema, {
    packId: "qa",
    instanceId,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks },
  }),
  packVersion: undefined,
  standing: GOOD_STANDING,
  leaseExpiresAt,
  draining: false,
  dispatchesWhenHeard: undefined,
});
const breaker = (openedAt: number): BreakerFacts => ({
  packId: "qa",
  taskType: "review",
  state: { kind: "open", openedAt },
});
const news = (said: Partial<RegistryNews> = {}): RegistryNews => ({
  packs: [],
  instances: [],
  breakers: [],
  ...said,
});
const registry = (said: Partial<RegistryNews> = {}, open = new Map<string, number>()): HeldRegistry =>
  newRegistry(orchestrator, {
    inForce: withoutPolicy,
    policyVersion: undefined,
    listeningSince: NOW,
    news: news({ packs: [manifest("qa")], ...said }),
    open,
    countsExact: true,
    change: 0,
    now: NOW,
  });
const ref = (instanceId: string) => ({ packId: "qa", instanceId });

test("news that come late, or twice, change nothing that is newer", () => {
  const held = registry();
  takeNews(
    held,
    news({
      instances: [{ change: 7, value: instance("a", 7) }],
      breakers: [{ change: 6, value: breaker(6) }],
    }),
    7,
  );
  takeNews(
    held,
    news({
      instances: [{ change: 5, value: instance("a", 5) }],
      breakers: [{ change: 4, value: breaker(4) }],
    }),
    5,
  );
  expect(findInstance(held.snapshot, ref("a"))?.maxTasks).toBe(7);
  expect(held.snapshot.packs[0]?.breakers?.get("review")).toEqual({ kind: "open", openedAt: 6 });
  expect(held.change).toBe(7);
});

test("property: in whatever order lanes bring their news, the newest of each instance is held", () => {
  const rows = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 30 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(rows, (brought) => {
      const held = registry();
      for (const [name, change] of brought)
        takeNews(held, news({ instances: [{ change, value: instance(name, change) }] }), change);
      for (const name of ["a", "b", "c"]) {
        const changes = brought.flatMap(([of, change]) => (of === name ? [change] : []));
        const newest = changes.length === 0 ? undefined : Math.max(...changes);
        expect(findInstance(held.snapshot, ref(name))?.maxTasks).toBe(newest);
      }
    }),
  );
});

test("a snapshot that was given out never changes", () => {
  const held = registry({ instances: [{ change: 1, value: instance("a", 4) }] });
  const given = held.snapshot;
  takeDelta(held, ref("a"), 1);
  takeNews(held, news({ instances: [{ change: 2, value: instance("a", 9) }] }), 2);
  expect(findInstance(given, ref("a"))).toMatchObject({ dispatches: 0, maxTasks: 4 });
  expect(findInstance(held.snapshot, ref("a"))).toMatchObject({ dispatches: 1, maxTasks: 9 });
});

test("a heartbeat keeps our own count, also of an instance that was not known when it was counted", () => {
  const held = registry({}, new Map([[instanceKey(ref("a")), 2]]));
  takeDelta(held, ref("a"), 1);
  takeNews(held, news({ instances: [{ change: 1, value: instance("a", 4) }] }), 1);
  expect(findInstance(held.snapshot, ref("a"))?.dispatches).toBe(3);
  expect(held.snapshot.packs[0]?.dispatches).toBe(3);
});

test("a count of the database takes the place of ours, up and down to nothing", () => {
  const instances = ["a", "b"].map((name) => ({ change: 1, value: instance(name, 4) }));
  const held = registry({ instances }, new Map([[instanceKey(ref("a")), 2]]));
  takeCounts(held, { open: new Map([[instanceKey(ref("b")), 1]]), countsExact: true });
  expect(findInstance(held.snapshot, ref("a"))?.dispatches).toBe(0);
  expect(findInstance(held.snapshot, ref("b"))?.dispatches).toBe(1);
  expect(held.snapshot.packs[0]?.dispatches).toBe(1);
});

test("INST-3 what went away a day ago goes from memory too, and comes back as news", () => {
  const long = NOW - FORGET_AFTER_MS;
  const instances = [
    { change: 1, value: instance("gone", 4, long) },
    { change: 1, value: instance("busy", 4, long) },
    { change: 1, value: instance("here", 4) },
  ];
  const held = registry({ instances }, new Map([[instanceKey(ref("busy")), 1]]));
  prune(held, NOW);
  expect(findInstance(held.snapshot, ref("gone"))).toBeUndefined();
  expect(held.changes.has(instanceKey(ref("gone")))).toBe(false);
  expect(findInstance(held.snapshot, ref("busy"))).toBeDefined();
  expect(findInstance(held.snapshot, ref("here"))).toBeDefined();
  takeNews(held, news({ instances: [{ change: 2, value: instance("gone", 4) }] }), 2);
  expect(findInstance(held.snapshot, ref("gone"))).toBeDefined();
});
