import { type AgentHeartbeat, HealthStatus } from "@signalbox/contracts";
import {
  type AuditContext,
  GOOD_STANDING,
  healthOf,
  instanceEvent,
  instanceFirstSeen,
  type InstanceNews,
} from "@signalbox/core";
import {
  type BatchTransaction,
  bumpRegistries,
  type CancelSignal,
  commitWith,
  demandCountingKeys,
  findCountingKeys,
  isUnmetDemand,
  type NewHeartbeat,
  type PlainHeartbeat,
  readCancelSignals,
  readingOfCancelSignals,
  type SavedHeartbeat,
  saveHeartbeats,
  saveOfPlainHeartbeats,
} from "@signalbox/db";
import { keyNoLongerCounts, KeysNoLongerCount, unconfirmedKeysOf } from "../identity/confirm-keys.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { recordBatch } from "../record.ts";
import { tellBatch } from "../stream/tell.ts";
import type { System } from "../system.ts";
import type { HeartbeatAnswer } from "./heartbeat.ts";
import { tellHeard } from "../link/heard-instances.ts";
import { noteReporting } from "./forget-instances.ts";
import { tellReturned } from "./returned-instances.ts";

export type HeardHeartbeat = {
  unconfirmedKey: string | undefined;
  heartbeat: AgentHeartbeat;
  json: string;
  packVersion: string | undefined;
  leaseMs: number;
  context: AuditContext;
};

/** An agent that does not listen for this long will not: what it reports is fenced anyway (D6). */
const tellCancelForMs = 10 * 60_000;

/** Whose key was revoked since it was looked up is refused alone: nothing of the transaction is kept, and the others go on. */
export async function writeHeartbeats(
  system: System,
  heard: readonly HeardHeartbeat[],
): Promise<Outcome<HeartbeatAnswer>[]> {
  try {
    const answers = await writeTogether(system, heard);
    return answers.map(done);
  } catch (error) {
    if (!(error instanceof KeysNoLongerCount)) throw error;
    const others = heard.filter((one) => !error.isOf(one));
    const answers = others.length === 0 ? [] : await writeHeartbeats(system, others);
    const answerOf = new Map(others.map((one, index) => [one, answers[index]]));
    return heard.map((one) => answerOf.get(one) ?? refuse(keyNoLongerCounts()));
  }
}

/** All of them in one transaction, whosever they are; each answered with what its instance must know. */
async function writeTogether(system: System, heard: readonly HeardHeartbeat[]): Promise<HeartbeatAnswer[]> {
  const tenantIds = [...new Set(heard.map(({ context }) => context.tenantId))];
  const { saved, signals } = await writeIn(system, tenantIds, heard);
  const newHere = noteReporting(system, tenantIds);
  // A process that has just begun knows of no work that waits for those who never were away.
  const returned = [...saved.values()].filter(
    ({ returned: isBack, tenantId }) => isBack || newHere.has(tenantId),
  );
  if (returned.length > 0) tellReturned(system, returned);
  tellHeard(system, () =>
    heard.map((one) => ({
      tenantId: one.context.tenantId,
      packId: one.heartbeat.packId,
      instanceId: one.heartbeat.instanceId,
      endpoint: one.heartbeat.endpoint,
      leaseMs: one.leaseMs,
      cancelDispatchIds: signals.get(keyOf(one)) ?? [],
    })),
  );
  return heard.map((one) => {
    const key = keyOf(one);
    const instance = saved.get(key);
    if (instance === undefined) throw new Error("a heartbeat that was saved was not told of");
    return {
      leaseExpiresAt: new Date(instance.leaseExpiresAt),
      healthStatus: healthAfter(one, instance),
      cancelDispatchIds: signals.get(key) ?? [],
      drain: instance.draining,
    };
  });
}

/**
 * Nearly all say what they said before, of which nothing is recorded or told: then nothing is to be decided between the
 * statements and COMMIT, which go together. Where one says more, or its key counts no longer, the server keeps nothing of
 * that, and all is done again step by step.
 */
async function writeIn(system: System, tenantIds: readonly string[], heard: readonly HeardHeartbeat[]) {
  const { database } = system;
  try {
    return await database.inTenants(tenantIds, (tx) => writePlain(tx, heard), {
      repeatable: true,
    });
  } catch (error) {
    if (!isUnmetDemand(error)) throw error;
    return database.inTenants(tenantIds, (tx) => write(tx, tenantIds, heard), { repeatable: true });
  }
}

async function writePlain(tx: BatchTransaction, heard: readonly HeardHeartbeat[]) {
  const [rows, told] = await commitWith<[PlainHeartbeat & Row, CancelSignal & Row]>(tx, [
    saveOfPlainHeartbeats(heard.map(rowOf), demandCountingKeys(unconfirmedKeysOf(heard))),
    readingOfCancelSignals(instancesOf(heard), tellCancelForMs),
  ]);
  return known(rows, told);
}

async function write(tx: BatchTransaction, tenantIds: readonly string[], heard: readonly HeardHeartbeat[]) {
  // Sent together, and carried out one after the other: one round trip, while the registry is held.
  const unconfirmed = unconfirmedKeysOf(heard);
  const [counting, , rows, told] = await Promise.all([
    findCountingKeys(tx, unconfirmed),
    bumpRegistries(tx, tenantIds),
    saveHeartbeats(tx, heard.map(rowOf)),
    readCancelSignals(tx, instancesOf(heard), tellCancelForMs),
  ]);
  if (counting.size < unconfirmed.length) throw new KeysNoLongerCount(counting);
  const { saved, signals } = known(rows, told);
  const entries = [];
  const events = [];
  for (const [key, one] of lastOfEach(heard)) {
    const instance = saved.get(key);
    if (instance === undefined) continue;
    const { heartbeat, packVersion, context } = one;
    const health = healthAfter(one, instance);
    if (instance.isNew) entries.push(instanceFirstSeen(context, heartbeat, { packVersion, health }));
    const news = newsOf(instance);
    if (news !== undefined)
      events.push({ tenantId: context.tenantId, event: instanceEvent(news, heartbeat, health) });
  }
  await Promise.all([recordBatch(tx, entries), tellBatch(tx, events)]);
  return { saved, signals };
}

type Row = Record<string, unknown>;

function known<Saved extends PlainHeartbeat>(rows: readonly Saved[], told: readonly CancelSignal[]) {
  const byInstance = Map.groupBy(told, instanceName);
  return {
    saved: new Map(rows.map((row) => [instanceName(row), row])),
    signals: new Map(
      [...byInstance].map(([key, own]) => [key, own.map(({ dispatchId }) => dispatchId)] as const),
    ),
  };
}

/** Of an instance that reported twice in one group the last one is saved. */
const lastOfEach = (heard: readonly HeardHeartbeat[]) => new Map(heard.map((one) => [keyOf(one), one]));

const instancesOf = (heard: readonly HeardHeartbeat[]) =>
  [...lastOfEach(heard).values()].map(({ heartbeat: { packId, instanceId }, context: { tenantId } }) => ({
    tenantId,
    packId,
    instanceId,
  }));

const rowOf = ({
  heartbeat,
  json,
  packVersion,
  leaseMs,
  context: { tenantId },
}: HeardHeartbeat): NewHeartbeat => ({
  tenantId,
  packId: heartbeat.packId,
  instanceId: heartbeat.instanceId,
  heartbeat: json,
  packVersion: packVersion ?? null,
  health: heartbeat.health?.status ?? HealthStatus.UNSPECIFIED,
  isUnwell: heartbeat.health?.status !== HealthStatus.HEALTHY,
  leaseMs,
});

function newsOf({ isNew, wasLost, healthBefore, health }: SavedHeartbeat): InstanceNews | undefined {
  if (isNew) return "first-seen";
  if (wasLost) return "returned";
  return healthBefore === health ? undefined : "health-changed";
}

type Named = { tenantId: string; packId: string; instanceId: string };
const instanceName = ({ tenantId, packId, instanceId }: Named) =>
  JSON.stringify([tenantId, packId, instanceId]);
const keyOf = ({ heartbeat: { packId, instanceId }, context: { tenantId } }: HeardHeartbeat) =>
  instanceName({ tenantId, packId, instanceId });

const healthAfter = ({ heartbeat }: HeardHeartbeat, { quarantinedAt }: PlainHeartbeat): HealthStatus =>
  healthOf({ heartbeat, standing: { ...GOOD_STANDING, quarantinedAt } });
