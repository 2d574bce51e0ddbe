import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { AuditEventType, HealthStatus } from "@signalbox/contracts";
import {
  bumpRegistries,
  insertCancelSignals,
  listAuditEntries,
  readRegistryChanges,
  saveDraining,
} from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { System } from "../system.ts";
import {
  asking,
  beat,
  openTestSystem,
  pack,
  register,
  tenantId,
  type TestSystem,
} from "../testing/test-system.ts";
import { forgetGoneInstances } from "./forget-instances.ts";
import { heartbeat } from "./heartbeat.ts";
import { listInstances, restoreInstance } from "./instances.ts";
import { onInstancesReturned } from "./returned-instances.ts";
import { applyStanding } from "./standing.ts";

let opened: TestSystem;
let system: System;
beforeEach(async () => {
  opened = await openTestSystem([tenantId, "south"]);
  ({ system } = opened);
  await register(system, [pack("qa"), pack("dev"), pack("dev", "1.1.0")]);
});
afterEach(() => opened.end());

const agent = asking("agent");
const person = asking("operator");

/** What the product's role may not do: the owner's hand in a test. */
const asOwner = (text: string) => readRows(opened.made.url, text);
const changeOf = async () => {
  const [seen] = await system.database.inTenants([tenantId], (tx) => readRegistryChanges(tx, [tenantId]));
  return seen?.change ?? 0;
};
const recorded = async (eventType: number) => {
  const { entries } = await system.database.inTenant(tenantId, (tx) =>
    listAuditEntries(tx, { limit: 100, eventType }),
  );
  return entries;
};
const invalidResult = (ref: { packId: string; instanceId: string }, times: number) =>
  system.database.inTenants([tenantId], async (tx) =>
    applyStanding(tx, {
      changes: await bumpRegistries(tx, [tenantId]),
      now: Date.now(),
      items: Array.from({ length: times }, () => ({
        ...ref,
        tenantId,
        requestId: "trace-1",
        event: { kind: "invalid-result", error: "trace_id differs" } as const,
      })),
    }),
  );
const shown = async () => (await listInstances(system, person, {})).instances;

describe("a heartbeat", () => {
  test("keeps its instance for as long as it says, 30 seconds where it says nothing", async () => {
    const before = Date.now();
    const first = await heartbeat(system, agent, beat("qa", "qa-1"));
    const second = await heartbeat(system, agent, beat("qa", "qa-1", { leaseTtl: durationFromMs(5_000) }));
    expect(first).toMatchObject({ healthStatus: HealthStatus.HEALTHY, cancelDispatchIds: [], drain: false });
    expect(first.leaseExpiresAt.getTime() - before).toBeGreaterThan(25_000);
    expect(second.leaseExpiresAt.getTime() - before).toBeLessThan(25_000);
    expect(await shown()).toMatchObject([
      { packId: "qa", instanceId: "qa-1", presence: "present", packVersion: undefined, maxTasks: 4 },
    ]);
    expect(await recorded(AuditEventType.INSTANCE_FIRST_SEEN)).toHaveLength(1);
  });

  test("names a pack that is registered, and a version that is", async () => {
    await expect(heartbeat(system, agent, beat("stranger", "x"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(heartbeat(system, agent, beat("dev", "d", { packVersion: "9.0.0" }))).rejects.toMatchObject({
      code: "NOT_FOUND",
      detail: expect.stringContaining("dev 9.0.0"),
    });
    await heartbeat(system, agent, beat("dev", "d", { packVersion: "1.1.0" }));
    await register(system, [pack("stranger")]);
    await heartbeat(system, agent, beat("stranger", "x"));
    expect(await shown()).toMatchObject([{ packId: "dev", packVersion: "1.1.0" }, { packId: "stranger" }]);
    await expect(heartbeat(system, asking("agent", "south"), beat("qa", "x"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test.each([
    ["a lease of no length", { leaseTtl: durationFromMs(500) }, "lease_ttl"],
    ["a name that looks like a secret", { instanceId: `ghp_${"a8Zk3Lq0".repeat(4)}wXyZ` }, "instance_id"],
    ["a name with U+0000", { instanceId: "a\0" }, "instance_id"],
    ["health that is no share", { health: { errorRate1m: 2 } }, "health.error_rate_1m"],
  ])("HEART-1 HEART-2 is refused with %s, which it names", async (_, said, field) => {
    await expect(heartbeat(system, agent, beat("qa", "qa-1", said))).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field }],
    });
    expect(await shown()).toEqual([]);
  });

  test("is kept without the secrets that its tools may hold", async () => {
    const token = `ghp_${"a8Zk3Lq0".repeat(4)}wXyZ`;
    await heartbeat(system, agent, beat("qa", "qa-1", { availableTools: ["git", `deploy ${token}`] }));
    const rows = await asOwner("select heartbeat::text as kept from signalbox.instances");
    expect(rows[0]?.["kept"]).toContain("git");
    expect(rows[0]?.["kept"]).not.toContain(token);
  });

  test("D15 is an agent's to send", async () => {
    await expect(heartbeat(system, asking("viewer"), beat("qa", "x"))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  test("tells what to cancel, and to drain", async () => {
    await heartbeat(system, agent, beat("qa", "qa-1"));
    const ref = { tenantId, packId: "qa", instanceId: "qa-1" };
    await system.database.inTenants([tenantId], async (tx) => {
      const changes = await bumpRegistries(tx, [tenantId]);
      await insertCancelSignals(tx, [{ ...ref, dispatchId: "p-d1.1" }]);
      await saveDraining(tx, [
        { ...ref, change: changes.get(tenantId) ?? 0, drainingSince: Date.now(), drainingReason: "x" },
      ]);
    });
    expect(await heartbeat(system, agent, beat("qa", "qa-1"))).toMatchObject({
      cancelDispatchIds: ["p-d1.1"],
      drain: true,
    });
    expect(await shown()).toMatchObject([{ presence: "draining" }]);
    expect(await heartbeat(system, agent, beat("qa", "qa-2"))).toMatchObject({
      cancelDispatchIds: [],
      drain: false,
    });
  });

  test("that brings an instance back is told to who waits for it, after the commit", async () => {
    const told: string[] = [];
    const stop = onInstancesReturned(system, (instances) => {
      told.push(...instances.map(({ instanceId }) => instanceId));
    });
    await heartbeat(system, agent, beat("qa", "qa-1"));
    await heartbeat(system, agent, beat("qa", "qa-1"));
    await asOwner("update signalbox.instances set lease_expires_at = now() - interval '1 second'");
    expect(await shown()).toMatchObject([{ presence: "away" }]);
    await heartbeat(system, agent, beat("qa", "qa-1"));
    stop();
    await heartbeat(system, agent, beat("qa", "qa-2"));
    expect(told).toEqual(["qa-1", "qa-1"]);
    // Coming back is no news to the record.
    expect(await recorded(AuditEventType.INSTANCE_FIRST_SEEN)).toHaveLength(2);
  });
});

test("D8 a heartbeat renews its own lease, and no dispatch's", async () => {
  await heartbeat(system, agent, beat("qa", "qa-1"));
  await asOwner(`
    insert into signalbox.open_dispatches
      (tenant_id, pipeline_id, stage_order, attempt_number, stage_id, task_type, pack_id, instance_id, handed_at, lease_expires_at, due_at)
    values ('${tenantId}', 'p', 1, 1, 's', 'review', 'qa', 'qa-1', now(), now() + interval '3 s', now() + interval '3 s')`);
  const leases = () => asOwner("select lease_expires_at::text, due_at::text from signalbox.open_dispatches");
  const before = await leases();
  await heartbeat(system, agent, beat("qa", "qa-1"));
  expect(await leases()).toEqual(before);
  expect(await shown()).toMatchObject([{ presence: "present", dispatches: 1 }]);
});

describe("heartbeats that arrive together", () => {
  test("a thousand of two tenants are all kept, in a few commits", async () => {
    await register(system, [pack("qa")], "south");
    const before = await changeOf();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        heartbeat(system, asking("agent", index % 2 === 0 ? tenantId : "south"), beat("qa", `qa-${index}`)),
      ),
    );
    expect(answers).toHaveLength(1_000);
    const commits = (await changeOf()) - before;
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThan(20);
    const [row] = await asOwner("select count(*)::int as kept from signalbox.instances");
    expect(row?.["kept"]).toBe(1_000);
  });

  test("of one instance all are answered, and it is there once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => heartbeat(system, agent, beat("qa", "qa-1"))),
    );
    expect(answers.every(({ healthStatus }) => healthStatus === HealthStatus.HEALTHY)).toBe(true);
    expect(await shown()).toHaveLength(1);
    expect(await recorded(AuditEventType.INSTANCE_FIRST_SEEN)).toHaveLength(1);
  });

  test("one that the database refuses fails alone", async () => {
    await asOwner(`
      create function signalbox.poison() returns trigger language plpgsql as $$
      begin
        if new.instance_id = 'qa-77' then raise exception 'poisoned'; end if;
        return new;
      end $$;
      create trigger poison before insert on signalbox.instances for each row execute function signalbox.poison();`);
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => heartbeat(system, agent, beat("qa", `qa-${index}`))),
    );
    const failed = answers.flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
    expect(failed).toEqual([77]);
    expect((await listInstances(system, person, { limit: 100 })).instances).toHaveLength(100);
  });
});

describe("a quarantine (D7)", () => {
  const ref = { packId: "qa", instanceId: "qa-1" };
  beforeEach(async () => {
    await heartbeat(system, agent, beat("qa", "qa-1"));
  });

  test("is set by the third invalid result in a row, once, on record", async () => {
    expect((await invalidResult(ref, 2)).map((decision) => decision?.kind)).toEqual(["counted", "counted"]);
    expect((await invalidResult(ref, 2)).map((decision) => decision?.kind)).toEqual([
      "quarantined",
      "counted",
    ]);
    expect(await invalidResult({ ...ref, instanceId: "unheard-of" }, 1)).toEqual([undefined]);
    const [entry, ...more] = await recorded(AuditEventType.AGENT_QUARANTINED);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ traceId: "trace-1", packId: "qa" });
    expect(await shown()).toMatchObject([
      {
        presence: "quarantined",
        health: HealthStatus.QUARANTINED,
        consecutiveInvalid: 4,
        quarantine: { reason: "trace_id differs" },
      },
    ]);
  });

  test("survives every heartbeat, which is told of it", async () => {
    await invalidResult(ref, 3);
    await asOwner("update signalbox.instances set lease_expires_at = now() - interval '2 days'");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        heartbeat(system, agent, beat("qa", "qa-1", { health: { status: HealthStatus.HEALTHY } })),
      ),
    );
    expect(new Set(answers.map(({ healthStatus }) => healthStatus))).toEqual(
      new Set([HealthStatus.QUARANTINED]),
    );
    expect(await shown()).toMatchObject([{ presence: "quarantined", health: HealthStatus.QUARANTINED }]);
  });

  test("is lifted by a person, once whoever else asks at the same moment, on record", async () => {
    await invalidResult(ref, 3);
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, () => restoreInstance(system, person, { ...ref, note: "a new build" })),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(asked.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "INVALID_STATE" },
    });
    expect(await recorded(AuditEventType.AGENT_RESTORED)).toHaveLength(1);
    expect(await shown()).toMatchObject([
      { presence: "present", consecutiveInvalid: 0, quarantine: undefined },
    ]);
    await expect(restoreInstance(system, person, { ...ref, instanceId: "qa-9" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const key = asking("admin");
    const program = { ...key, caller: { ...key.caller, actor: { type: "system", id: "key" } as const } };
    await expect(restoreInstance(system, program, ref)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("raises the registry's change, so that every node hears of it", async () => {
    const before = await changeOf();
    await invalidResult(ref, 3);
    const quarantined = await changeOf();
    expect(quarantined).toBeGreaterThan(before);
    await restoreInstance(system, person, ref);
    expect(await changeOf()).toBeGreaterThan(quarantined);
  });
});

test("INST-3 instances that went away a day ago are forgotten, and no others", async () => {
  for (const name of ["gone", "bad", "away", "here"]) await heartbeat(system, agent, beat("qa", name));
  await invalidResult({ packId: "qa", instanceId: "bad" }, 3);
  await asOwner(`
    update signalbox.instances set lease_expires_at = now() - interval '25 hours' where instance_id in ('gone', 'bad');
    update signalbox.instances set lease_expires_at = now() - interval '23 hours' where instance_id = 'away';`);
  await system.database.inTenants([tenantId], (tx) =>
    insertCancelSignals(
      tx,
      ["gone", "here"].map((instanceId) => ({ tenantId, packId: "qa", instanceId, dispatchId: "p-d0.1" })),
    ),
  );
  await forgetGoneInstances(system);
  expect((await shown()).map(({ instanceId }) => instanceId)).toEqual(["away", "bad", "here"]);
  expect(await asOwner("select instance_id from signalbox.cancel_signals")).toEqual([
    { instance_id: "here" },
  ]);
  await forgetGoneInstances(system);
  expect(await shown()).toHaveLength(3);
});

test("instances are listed in pages by name, of one pack where one is named", async () => {
  for (const name of ["a", "b", "c"]) await heartbeat(system, agent, beat("qa", name));
  await heartbeat(system, agent, beat("dev", "d"));
  const first = await listInstances(system, person, { limit: 2 });
  const second = await listInstances(system, person, { limit: 2, cursor: first.nextCursor });
  expect([...first.instances, ...second.instances].map(({ instanceId }) => instanceId)).toEqual([
    "d",
    "a",
    "b",
    "c",
  ]);
  expect(second.nextCursor).toBeUndefined();
  expect((await listInstances(system, person, { packId: "dev" })).instances).toHaveLength(1);
  expect((await listInstances(system, asking("viewer", "south"), {})).instances).toEqual([]);
});
