import { HealthStatus } from "@signalbox/contracts";
import {
  decideDispatch,
  findInstance,
  noPolicy,
  printBreakerState,
  redact,
  type Snapshot,
} from "@signalbox/core";
import { bumpRegistries, lockPipelines, saveBreakers } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDocumentCache } from "../documents/document-cache.ts";
import { createDraft } from "../documents/drafts.ts";
import { publishDocument } from "../documents/publish.ts";
import type { System } from "../system.ts";
import { policyText } from "../testing/documents.ts";
import {
  asking,
  beat,
  openTestSystem,
  pack,
  register,
  tenantId,
  type TestSystem,
} from "../testing/test-system.ts";
import { heartbeat } from "./heartbeat.ts";
import { restoreInstance } from "./instances.ts";
import { applyStanding } from "./standing.ts";
import { createTenantRegistries, type TenantRegistries } from "./tenant-registries.ts";

let opened: TestSystem;
let system: System;
let registries: TenantRegistries;
beforeEach(async () => {
  opened = await openTestSystem([tenantId, "south"]);
  ({ system } = opened);
  registries = registriesOf();
});
afterEach(() => opened.end());

const registriesOf = (said: { othersLive?: boolean; most?: number } = {}) =>
  createTenantRegistries({
    orchestrator: { version: "1.0.0", schemaVersion: "1.0.0" },
    documents: createDocumentCache(),
    othersLive: () => said.othersLive ?? false,
    ...(said.most === undefined ? {} : { most: said.most }),
  });
/** As a batch does: the time is the database's. */
const currentOf = (own: TenantRegistries, tenants: readonly string[] = [tenantId], at?: number) =>
  system.database.inTenants(tenants, async (tx) => {
    const { now } = await lockPipelines(tx, []);
    return own.current(tx, tenants, at ?? now);
  });
async function current(own: TenantRegistries = registries): Promise<Snapshot> {
  const snapshot = (await currentOf(own)).get(tenantId);
  if (snapshot === undefined) throw new Error("no snapshot");
  return snapshot;
}
const publish = async (version: string, packs: readonly string[]) => {
  const text = policyText({ review: packs }, { version });
  await createDraft(system, asking("operator"), "routing-policy", { text });
  await publishDocument(system, asking("operator"), "routing-policy", { version });
};
const decided = (snapshot: Snapshot, now = Date.now(), waitingSince?: number) =>
  decideDispatch(
    snapshot,
    {
      taskType: "review",
      riskTier: 1,
      requiredTools: [],
      queueDepth: 0,
      waitingSince,
      deadlineAt: undefined,
    },
    now,
  );
const ref = { packId: "qa", instanceId: "qa-1" };
const quarantine = () =>
  system.database.inTenants([tenantId], async (tx) =>
    applyStanding(tx, {
      changes: await bumpRegistries(tx, [tenantId]),
      now: Date.now(),
      items: Array.from({ length: 3 }, () => ({
        ...ref,
        tenantId,
        requestId: "trace-1",
        event: { kind: "invalid-result", error: "late" } as const,
      })),
    }),
  );
const factsOf = ({ packs }: Snapshot) =>
  packs
    .flatMap(({ versions }) => versions.flatMap(({ instances }) => instances.map((one) => one.facts)))
    .toSorted((one, other) => (one.packId + one.instanceId < other.packId + other.instanceId ? -1 : 1));
const dispatchesOf = (own: TenantRegistries = registries) => {
  const snapshot = own.latest(tenantId);
  return snapshot && findInstance(snapshot, ref)?.dispatches;
};
/** Dispatches that another node has open. */
const openAtInstance = (count: number) =>
  readRows(
    opened.made.url,
    `insert into signalbox.open_dispatches
       (tenant_id, pipeline_id, stage_order, attempt_number, stage_id, task_type, pack_id, instance_id)
     select '${tenantId}', 'p-' || n, 1, 1, 's', 'review', 'qa', 'qa-1' from generate_series(1, ${count}) as n`,
  );

describe("a tenant's registry", () => {
  test("DOC-29 of a tenant that published nothing has no route, and of one that is unknown too", async () => {
    const found = await currentOf(registries, [tenantId, "south", "nobody"]);
    expect([...found.keys()].toSorted()).toEqual(["nobody", "north", "south"]);
    for (const snapshot of found.values()) {
      expect(snapshot.policy).toBe(noPolicy);
      expect(decided(snapshot)).toEqual({ kind: "escalate", reason: "no-route" });
    }
  });

  test("is as new as the database: packs, instances, policies, quarantines and breakers of any node", async () => {
    const node = opened.another();
    expect((await current()).packs).toEqual([]);
    await register(node, [pack("qa")]);
    expect((await current()).packs.map(({ packId }) => packId)).toEqual(["qa"]);
    await heartbeat(node, asking("agent"), beat("qa", "qa-1"));
    await publish("1.0.0", ["qa"]);
    expect(decided(await current())).toMatchObject({ kind: "selected" });
    await quarantine();
    expect(findInstance(await current(), ref)?.health).toBe(HealthStatus.QUARANTINED);
    await restoreInstance(node, asking("operator"), ref);
    expect(findInstance(await current(), ref)?.health).toBe(HealthStatus.HEALTHY);
    await node.database.inTenants([tenantId], async (tx) => {
      const changes = await bumpRegistries(tx, [tenantId]);
      const state = printBreakerState({ kind: "open", openedAt: Date.now() });
      await saveBreakers(tx, [
        { tenantId, packId: "qa", taskType: "review", change: changes.get(tenantId) ?? 0, state },
      ]);
    });
    expect(decided(await current())).toEqual({ kind: "escalate", reason: "breakers-open" });
    await publish("1.1.0", ["qa"]);
    expect((await current()).policy.version).toBe("1.1.0");
    await publishDocument(node, asking("operator"), "routing-policy", { version: "1.0.0" });
    expect((await current()).policy.version).toBe("1.0.0");
  });

  test("shares what did not change, and comes to what a fresh load comes to", async () => {
    await register(system, [pack("qa"), pack("dev")]);
    const first = await current();
    expect((await current()).packs).toBe(first.packs);
    for (let index = 0; index < 30; index += 1) {
      await heartbeat(system, asking("agent"), beat(index % 3 === 0 ? "dev" : "qa", `i-${index % 7}`));
      if (index % 4 === 0) await current();
    }
    await register(system, [pack("qa", "1.2.0"), pack("new")]);
    const kept = await current();
    const fresh = await current(registriesOf());
    expect(factsOf(kept)).toEqual(factsOf(fresh));
    expect(kept.packs.map(({ packId }) => packId).toSorted()).toEqual(["dev", "new", "qa"]);
  });

  test("DSP-64 after a restart takes nothing for the work of others that was ours when the heartbeat was heard", async () => {
    await register(system, [pack("qa")]);
    await openAtInstance(3);
    const said = { capacity: { maxTasks: 4, activeTasks: 4 } };
    await heartbeat(system, asking("agent"), beat("qa", "qa-1", said));
    await readRows(opened.made.url, "delete from signalbox.open_dispatches");
    expect(findInstance(await current(registriesOf()), ref)).toMatchObject({ dispatches: 0, otherTasks: 1 });
    await heartbeat(system, asking("agent"), beat("qa", "qa-1", said));
    expect(findInstance(await current(registriesOf()), ref)).toMatchObject({ dispatches: 0, otherTasks: 4 });
  });

  test("is brought up by many batches at once", async () => {
    await register(system, [pack("qa")]);
    const beats = Array.from({ length: 40 }, (_, index) =>
      heartbeat(system, asking("agent"), beat("qa", `i-${index}`)),
    );
    const looks = Array.from({ length: 20 }, () => current());
    await Promise.all([...beats, ...looks]);
    const snapshot = await current();
    expect(snapshot.packs[0]?.versions[0]?.instances).toHaveLength(40);
  });

  test("is dropped when it was not asked for, and when there are too many", async () => {
    const few = registriesOf({ most: 1 });
    await currentOf(few, [tenantId]);
    await currentOf(few, ["south"]);
    expect(few.latest(tenantId)).toBeUndefined();
    expect(few.latest("south")).toBeDefined();
    await currentOf(registries, [tenantId], 1_000);
    await currentOf(registries, ["south"], 1_000 + 11 * 60_000);
    expect(registries.latest(tenantId)).toBeUndefined();
  });
});

describe("the moment from which heartbeats are heard", () => {
  test("DSP-52 after a restart and an outage an absence is not held against an instance at once", async () => {
    await register(system, [pack("qa")]);
    await heartbeat(system, asking("agent"), beat("qa", "qa-1"));
    await publish("1.0.0", ["qa"]);
    await readRows(
      opened.made.url,
      "update signalbox.instances set lease_expires_at = now() - interval '10 minutes', heard_at = now() - interval '11 minutes'",
    );
    const now = Date.now();
    const restarted = registriesOf();
    restarted.listenFrom(now);
    const snapshot = await current(restarted);
    expect(snapshot.listeningSince).toBe(now);
    expect(decided(snapshot, now + 1_000, now - 120_000).kind).toBe("wait");
    expect(decided(snapshot, now + 61_000, now - 120_000)).toEqual({
      kind: "escalate",
      reason: "unavailable",
    });
    restarted.forget();
    await currentOf(restarted, [tenantId], now + 50_000);
    expect(decided(await current(restarted), now + 61_000, now - 120_000).kind).toBe("wait");
    restarted.listenFrom(now + 60_000);
    expect(decided(await current(restarted), now + 61_000, now - 120_000).kind).toBe("wait");
  });
});

describe("open dispatches", () => {
  beforeEach(async () => {
    await register(system, [pack("qa")]);
    await heartbeat(system, asking("agent"), beat("qa", "qa-1"));
  });
  test("are loaded at first, and counted by each transaction at once", async () => {
    await openAtInstance(2);
    await current();
    expect(dispatchesOf()).toBe(2);
    const counts = registries.counts();
    counts.dispatched(tenantId, ref);
    expect(dispatchesOf()).toBe(3);
    counts.undone();
    expect(dispatchesOf()).toBe(2);
    const others = registries.counts();
    others.ended(tenantId, ref);
    others.committed();
    expect(dispatchesOf()).toBe(1);
  });

  test("keep what is under way when the registry is loaded meanwhile", async () => {
    const counts = registries.counts();
    counts.dispatched(tenantId, ref);
    await current();
    expect(dispatchesOf()).toBe(1);
    counts.undone();
    expect(dispatchesOf()).toBe(0);
  });

  test("of other nodes are taken from the database, within a second", async () => {
    const own = registriesOf({ othersLive: true });
    const now = Date.now();
    await currentOf(own, [tenantId], now);
    await openAtInstance(3);
    await currentOf(own, [tenantId], now + 500);
    expect(dispatchesOf(own)).toBe(0);
    await currentOf(own, [tenantId], now + 1_000);
    expect(dispatchesOf(own)).toBe(3);
  });

  test("are anew what the database says after everything was forgotten", async () => {
    await current();
    const lost = registries.counts();
    lost.dispatched(tenantId, ref);
    lost.committed();
    registries.forget();
    // A batch that is under way still has what it began with.
    expect(dispatchesOf()).toBe(1);
    await current();
    expect(dispatchesOf()).toBe(0);
  });
});

const masked = () => redact(registries.redactor(tenantId), { codename: "blue heron" }).value;

test("the redactor is the active policy's", async () => {
  await current();
  expect(masked()).toEqual({ codename: "blue heron" });
  await register(system, [pack("qa")]);
  const text = JSON.stringify({
    ...JSON.parse(policyText({ review: ["qa"] }, { version: "2.0.0" })),
    redaction_policy: { always_redact: ["**/*.codename"] },
  });
  await createDraft(system, asking("operator"), "routing-policy", { text });
  await publishDocument(system, asking("operator"), "routing-policy", { version: "2.0.0" });
  await current();
  expect(JSON.stringify(masked())).not.toContain("heron");
});
