import { durationMs } from "@bufbuild/protobuf/wkt";
import { type HealthStatus, SignalboxError } from "@signalbox/contracts";
import {
  factsOfInstance,
  healthOf,
  type InstancePresence,
  presenceOf,
  probationAt,
  type StandingEvent,
} from "@signalbox/core";
import {
  bumpRegistries,
  findInstance,
  type InstanceCursor,
  type InstanceRow,
  listInstances as listRows,
  lockPipelines,
  openDispatchCounts,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { policyInForce } from "../documents/redactor-in-force.ts";
import { maskSaid, readNote } from "../note.ts";
import { silentForm } from "../once/kept-form.ts";
import { transactOnce } from "../once/transact-once.ts";
import { cursorsOf, type PageRequest, readLimit, refuseCursor } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { quarantineOf, tellObserved } from "../metrics/observations.ts";
import { instanceKey } from "./open-counts.ts";
import { applyStanding } from "./standing.ts";
import { knownInstance } from "./stored-rows.ts";

const cursors = cursorsOf("instances");

/** An instance as a person sees it. Its own lease, its dispatches and its standing are three facts (D8). */
export type InstanceView = {
  packId: string;
  instanceId: string;
  packVersion: string | undefined;
  presence: InstancePresence;
  health: HealthStatus;
  /** Of dispatches that it has now, by our own count. */
  dispatches: number;
  /** Work that it said it has beyond them, when it was last heard of. */
  otherTasks: number;
  maxTasks: number | undefined;
  /** What it says itself of the last minute and of its tools. */
  said: {
    activeTasks: number | undefined;
    queuedTasks: number | undefined;
    errorRate: number | undefined;
    averageLatencyMs: number | undefined;
    availableTools: readonly string[];
    degradedTools: readonly string[];
  };
  firstSeenAt: Date;
  heardAt: Date;
  leaseExpiresAt: Date;
  consecutiveInvalid: number;
  /** Since when, and for what; undefined while it is not quarantined. */
  quarantine: Quarantine | undefined;
  /** Since when it works on probation, and what it was quarantined for. */
  probation: { since: Date; reason: string } | undefined;
  /** Since when it is asked to finish what it has and take no more, and why. */
  draining: { since: Date; reason: string } | undefined;
};
/** `probationAt`: when the policy in force lets it work again, on probation; undefined where only a person does. */
type Quarantine = { since: Date; reason: string; probationAt: Date | undefined };
export type InstancePage = { instances: InstanceView[]; nextCursor: string | undefined };

/** By name. */
export async function listInstances(
  system: System,
  { caller }: Asked,
  page: PageRequest & { packId?: string | undefined },
): Promise<InstancePage> {
  authorise(caller, "instance.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readInstanceCursor(page.cursor);
  if (page.packId !== undefined && holdsNul(page.packId)) return { instances: [], nextCursor: undefined };
  return transact(system, caller.tenantId, (tx) =>
    instancesIn(system, tx, { limit, after, packId: page.packId }),
  );
}

/** The same in a transaction of the tenant, for whoever may read them. */
export async function instancesIn(
  system: Pick<System, "database">,
  tx: TenantTransaction,
  page: Parameters<typeof listRows>[1],
): Promise<InstancePage> {
  const [{ now }, { instances, next }, counts] = await Promise.all([
    // Of no pipelines: what it gives beside their locks is the database's time.
    lockPipelines(tx, []),
    listRows(tx, page),
    openDispatchCounts(tx, tx.tenantId),
  ]);
  const open = new Map(counts.map((row) => [instanceKey(row), row.open]));
  const probationAfterMs = await probationAfter(system, tx, instances);
  return {
    instances: instances.map((row) =>
      viewOf(row, { dispatches: open.get(instanceKey(row)) ?? 0, now, probationAfterMs }),
    ),
    nextCursor: next && cursors.write([next.packId, next.instanceId]),
  };
}

/** Asked where somebody is quarantined; a policy that cannot be read any more must not hide the instances. */
async function probationAfter(
  system: Pick<System, "database">,
  tx: TenantTransaction,
  rows: readonly InstanceRow[],
): Promise<number | undefined> {
  if (rows.every(({ quarantinedAt }) => quarantinedAt === null)) return undefined;
  try {
    return (await policyInForce(system, tx)).policy.admission.probationAfterMs;
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}

type Around = { dispatches: number; now: number; probationAfterMs: number | undefined };

function viewOf(row: InstanceRow, { dispatches, now, probationAfterMs }: Around): InstanceView {
  const known = knownInstance(row);
  const { lastError, consecutiveInvalid, drainingSince, drainingReason } = row;
  const { quarantinedAt, probationSince } = known.standing;
  const due = probationAt(known.standing, probationAfterMs);
  const { capacity, health, availableTools } = known.heartbeat;
  return {
    packId: row.packId,
    instanceId: row.instanceId,
    packVersion: known.packVersion,
    presence: presenceOf(known, now),
    health: healthOf(known),
    dispatches,
    otherTasks: factsOfInstance(known, dispatches).otherTasks,
    maxTasks: capacity?.maxTasks,
    said: {
      activeTasks: capacity?.activeTasks,
      queuedTasks: capacity?.queuedTasks,
      errorRate: health?.errorRate1m,
      averageLatencyMs: health?.avgLatency1m && durationMs(health.avgLatency1m),
      availableTools,
      degradedTools: health?.degradedTools ?? [],
    },
    firstSeenAt: new Date(row.firstSeenAt),
    heardAt: new Date(row.heardAt),
    leaseExpiresAt: new Date(row.leaseExpiresAt),
    consecutiveInvalid,
    quarantine:
      quarantinedAt === null
        ? undefined
        : {
            since: new Date(quarantinedAt),
            reason: lastError,
            probationAt: due === undefined ? undefined : new Date(due),
          },
    probation: probationSince === null ? undefined : { since: new Date(probationSince), reason: lastError },
    draining: drainingSince === null ? undefined : { since: new Date(drainingSince), reason: drainingReason },
  };
}

/** Missing and another tenant's are one answer. */
export async function getInstance(
  system: System,
  { caller }: Asked,
  ref: { packId: string; instanceId: string },
): Promise<InstanceView> {
  authorise(caller, "instance.read", undefined);
  const unknown = unknownInstance(ref);
  if (holdsNul(ref.packId + ref.instanceId)) throw unknown;
  return transact(system, caller.tenantId, async (tx) => {
    const [{ now }, row, counts] = await Promise.all([
      lockPipelines(tx, []),
      findInstance(tx, ref),
      openDispatchCounts(tx, caller.tenantId),
    ]);
    if (row === undefined) throw unknown;
    const own = counts.find((one) => instanceKey(one) === instanceKey(row));
    const probationAfterMs = await probationAfter(system, tx, [row]);
    return viewOf(row, { dispatches: own?.open ?? 0, now, probationAfterMs });
  });
}

export const unknownInstance = ({ packId, instanceId }: { packId: string; instanceId: string }) =>
  new SignalboxError("NOT_FOUND", `There is no instance ${instanceId} of ${packId}.`);

function readInstanceCursor(cursor: string): InstanceCursor {
  const [packId = "", instanceId = ""] = cursors.read(cursor, 2);
  if (holdsNul(packId + instanceId)) throw refuseCursor();
  return { packId, instanceId };
}

export type OfInstance = { packId: string; instanceId: string; note?: string | undefined };

/** A person lifts a quarantine (D7). Nothing else of the instance changes: its lease says whether it is there. */
export async function restoreInstance(system: System, asked: Asked, named: OfInstance): Promise<void> {
  authorise(asked.caller, "instance.restore", named);
  await changeStanding(system, asked, named, {
    kind: "restore",
    by: asked.caller.actor,
    note: readNote(named.note),
  });
}

/** A person keeps new work from an instance (QUAR-7); what it has under way it may finish. */
export async function quarantineInstance(system: System, asked: Asked, named: OfInstance): Promise<void> {
  authorise(asked.caller, "instance.quarantine", named);
  const note = readNote(named.note);
  if (note === "") {
    const violation = { field: "note", rule: "required", message: "says why; the record keeps it" };
    throw new SignalboxError("VALIDATION_FAILED", "A quarantine needs a reason.", {
      violations: [violation],
    });
  }
  await changeStanding(system, asked, named, { kind: "quarantine", by: asked.caller.actor, note });
}

async function changeStanding(
  system: System,
  asked: Asked,
  { packId, instanceId }: OfInstance,
  event: Extract<StandingEvent, { kind: "restore" | "quarantine" }>,
): Promise<void> {
  const { tenantId } = asked.caller;
  const unknown = unknownInstance({ packId, instanceId });
  if (holdsNul(packId + instanceId)) throw unknown;
  let quarantined = false;
  await transactOnce(system, asked, silentForm, async (tx) => {
    const changes = await bumpRegistries(tx, [tenantId]);
    const { now } = await lockPipelines(tx, []);
    const said = { ...event, note: await maskSaid(system, tx, event.note) };
    const items = [{ tenantId, packId, instanceId, requestId: asked.requestId, event: said }];
    const [decision] = await applyStanding(tx, { changes, now, items });
    if (decision === undefined) throw unknown;
    quarantined = decision.kind === "quarantined";
    if (decision.kind !== "refused") return;
    throw new SignalboxError(
      "INVALID_STATE",
      `Instance ${instanceId} of ${packId} ${refusals[decision.reason]}.`,
    );
  });
  if (quarantined) tellObserved(system, tenantId, () => [quarantineOf({ tenantId, packId, instanceId })]);
}

const refusals = {
  "not-quarantined": "is not quarantined",
  "quarantined-already": "is quarantined by a person already",
  "not-a-person": "is quarantined and restored by a person only",
  "a-persons": "was quarantined by a person, who alone restores it",
  "too-early": "is not quarantined for long enough to work on probation",
} as const;
