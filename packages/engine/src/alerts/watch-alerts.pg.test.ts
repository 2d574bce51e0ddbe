import { AuditEventType, HealthStatus, Outcome } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { listAlerts } from "../read-alerts.ts";
import { listAudit } from "../read-audit.ts";
import { workByHand } from "../testing/hand-worked-agent.ts";
import { submitType } from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, packOf, seedTenant, type TestEngine } from "../testing/test-engine.ts";
import { watchAlerts } from "./watch-alerts.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

/** A look in the past is old enough, so that every call judges, whoever else does at the moment. */
const ALWAYS_MS = -60_000;
const watch = (node: Engine = opened.engine, everyMs?: number) =>
  watchAlerts(
    node,
    (reason) => {
      throw reason;
    },
    everyMs,
  );
const entriesOf = async (eventType: AuditEventType, tenantId = "default") => {
  const { entries } = await listAudit(opened.engine, askedBy("auditor", tenantId), { eventType });
  return entries.map(({ payload }) => JSON.parse(payload) as { action: string; packId?: string });
};
const raised = async (tenantId = "default") =>
  (await listAlerts(opened.engine, askedBy("viewer", tenantId), {})).alerts.map(({ alert }) => alert);
const kindsTold = async () => {
  const rows = await readRows(
    opened.made.url,
    "select kind from signalbox.events where kind like 'alert.%' order by recorded_at, ordinal",
  );
  return rows.map(({ kind }) => kind);
};
/** As if all that was heard had been heard three minutes ago. */
const threeMinutesLater = () =>
  readRows(
    opened.made.url,
    "update signalbox.instances set unwell_since = unwell_since - interval '3 minutes'",
  );
const saying = (status: HealthStatus) => ({ health: { status } });

test("ALERT-7 what begins to hold is fired once and resolved once, on record and told, however many nodes look at once", async () => {
  const { engine } = opened;
  await prepare(engine, { packs: [packOf("builder")] });
  const agent = workByHand(engine, "builder");
  await agent.beat(saying(HealthStatus.UNHEALTHY));
  // It is to come, and no alert yet.
  expect(await watch(engine, ALWAYS_MS)).toEqual({ fired: 0, resolved: 0 });
  await threeMinutesLater();
  const nodes = [engine, await opened.another(), await opened.another()];
  const together = async () => {
    const rounds = await Promise.all(
      [...nodes, ...nodes, ...nodes].map(async (node) => watch(node, ALWAYS_MS)),
    );
    return rounds.reduce(
      (sum, { fired, resolved }) => ({ fired: sum.fired + fired, resolved: sum.resolved + resolved }),
      { fired: 0, resolved: 0 },
    );
  };
  expect(await together()).toEqual({ fired: 1, resolved: 0 });
  expect(await together()).toEqual({ fired: 0, resolved: 0 });
  expect(await entriesOf(AuditEventType.ALERT_FIRED)).toMatchObject([
    {
      action: "fired the alert pack-out-of-service, SEV2",
      packId: "builder",
      actor: { type: "ACTOR_TYPE_ORCHESTRATOR" },
      rationale: expect.stringContaining("The only instance of builder is away or not healthy."),
    },
  ]);
  expect(await raised()).toEqual(["pack-out-of-service"]);

  await agent.beat(saying(HealthStatus.HEALTHY));
  expect(await together()).toEqual({ fired: 0, resolved: 1 });
  expect(await together()).toEqual({ fired: 0, resolved: 0 });
  expect(await entriesOf(AuditEventType.ALERT_RESOLVED)).toMatchObject([
    { action: "resolved the alert pack-out-of-service", packId: "builder" },
  ]);
  expect(await kindsTold()).toEqual(["alert.raised", "alert.resolved"]);

  // Another time is another alert.
  await agent.beat(saying(HealthStatus.DEGRADED));
  await threeMinutesLater();
  expect(await together()).toEqual({ fired: 1, resolved: 0 });
  expect(await entriesOf(AuditEventType.ALERT_FIRED)).toHaveLength(2);
});

test("ALERT-7 a tenant is looked at by one node in a while, and not at all while nothing is amiss", async () => {
  const { engine } = opened;
  await prepare(engine, { packs: [packOf("builder")] });
  const agent = workByHand(engine, "builder");
  await agent.beat();
  await watch();
  const watches = () => readRows(opened.made.url, "select tenant_id from signalbox.alert_watches");
  expect(await watches()).toEqual([]);
  await agent.beat(saying(HealthStatus.UNHEALTHY));
  await watch();
  expect(await watches()).toEqual([{ tenant_id: "default" }]);
  await threeMinutesLater();
  // Somebody looked just now.
  expect(await watch(await opened.another())).toEqual({ fired: 0, resolved: 0 });
  expect(await watch(engine, 0)).toEqual({ fired: 1, resolved: 0 });
});

test("ALERT-5 ALERT-7 a breaker that opened is fired, and resolved when its pack may be tried again; of two pairs each", async () => {
  const { engine } = opened;
  const circuit_breaker = { error_threshold: 2, window: "60s", half_open_after: "2s" };
  await prepare(engine, { policy: builderPolicy({ admission: { circuit_breaker } }) });
  const agent = workByHand(engine, "builder");
  await agent.beat();
  for (const taskType of ["build", "build", "check", "check"]) {
    await submitType(engine, taskType);
    await agent.work("task", { outcome: Outcome.NON_RETRYABLE_FAILURE });
  }
  expect(await watch(engine, ALWAYS_MS)).toEqual({ fired: 2, resolved: 0 });
  const rationales = JSON.stringify(await entriesOf(AuditEventType.ALERT_FIRED));
  expect(rationales).toContain("builder failed at build so often");
  expect(rationales).toContain("builder failed at check so often");
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await watch(engine, ALWAYS_MS)).toEqual({ fired: 0, resolved: 2 });
});

test("ALERT-7 a tenant's alerts are its own, and one that cannot be judged keeps no other from it", async () => {
  const { engine } = opened;
  await seedTenant(engine.database, "south");
  for (const tenantId of ["default", "south"]) {
    await prepare(engine, { packs: [packOf("builder")] }, tenantId);
    await workByHand(engine, "builder", "builder-1", tenantId).beat(saying(HealthStatus.UNHEALTHY));
  }
  await threeMinutesLater();
  await readRows(
    opened.made.url,
    `create function signalbox.broken() returns trigger language plpgsql as $$
     begin
       if new.tenant_id = 'default' then raise exception 'broken'; end if;
       return new;
     end $$;
     create trigger broken before insert on signalbox.fired_alerts for each row execute function signalbox.broken();`,
  );
  const failures: unknown[] = [];
  const round = await watchAlerts(engine, (reason) => void failures.push(reason), ALWAYS_MS);
  expect(round).toEqual({ fired: 1, resolved: 0 });
  expect(failures).toHaveLength(1);
  expect(await entriesOf(AuditEventType.ALERT_FIRED)).toEqual([]);
  expect(await entriesOf(AuditEventType.ALERT_FIRED, "south")).toHaveLength(1);
  expect([await raised(), await raised("south")]).toEqual([[], ["pack-out-of-service"]]);
});
