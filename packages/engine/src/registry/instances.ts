import { type HealthStatus, SignalboxError } from "@signalbox/contracts";
import { healthOf, type InstancePresence, presenceOf } from "@signalbox/core";
import {
  bumpRegistries,
  type InstanceCursor,
  type InstanceRow,
  listInstances as listRows,
  lockPipelines,
  openDispatchCounts,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { readNote } from "../note.ts";
import { silentForm } from "../once/kept-form.ts";
import { transactOnce } from "../once/transact-once.ts";
import { readCursor, readLimit, refuseCursor, writeCursor, type PageRequest } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { instanceKey } from "./open-counts.ts";
import { applyStanding } from "./standing.ts";
import { knownInstance } from "./stored-rows.ts";

/** An instance as a person sees it. Its own lease, its dispatches and its standing are three facts (D8). */
export type InstanceView = {
  packId: string;
  instanceId: string;
  packVersion: string | undefined;
  presence: InstancePresence;
  health: HealthStatus;
  /** Of dispatches that it has now, by our own count. */
  dispatches: number;
  maxTasks: number | undefined;
  firstSeenAt: Date;
  heardAt: Date;
  leaseExpiresAt: Date;
  consecutiveInvalid: number;
  /** Since when, and for what; undefined while it is not quarantined. */
  quarantine: { since: Date; reason: string } | undefined;
};
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
  return transact(system, caller.tenantId, async (tx) => {
    const [{ now }, { instances, next }, counts] = await Promise.all([
      // Of no pipelines: what it gives beside their locks is the database's time.
      lockPipelines(tx, []),
      listRows(tx, { limit, after, packId: page.packId }),
      openDispatchCounts(tx, caller.tenantId),
    ]);
    const open = new Map(counts.map((row) => [instanceKey(row), row.open]));
    return {
      instances: instances.map((row) => viewOf(row, open.get(instanceKey(row)) ?? 0, now)),
      nextCursor: next && writeCursor([next.packId, next.instanceId]),
    };
  });
}

function viewOf(row: InstanceRow, dispatches: number, now: number): InstanceView {
  const known = knownInstance(row);
  const { quarantinedAt, lastError, consecutiveInvalid } = row;
  return {
    packId: row.packId,
    instanceId: row.instanceId,
    packVersion: known.packVersion,
    presence: presenceOf(known, now),
    health: healthOf(known),
    dispatches,
    maxTasks: known.heartbeat.capacity?.maxTasks,
    firstSeenAt: new Date(row.firstSeenAt),
    heardAt: new Date(row.heardAt),
    leaseExpiresAt: new Date(row.leaseExpiresAt),
    consecutiveInvalid,
    quarantine: quarantinedAt === null ? undefined : { since: new Date(quarantinedAt), reason: lastError },
  };
}

function readInstanceCursor(cursor: string): InstanceCursor {
  const [packId = "", instanceId = ""] = readCursor(cursor, 2);
  if (holdsNul(packId + instanceId)) throw refuseCursor();
  return { packId, instanceId };
}

/** A person lifts a quarantine (D7). Nothing else of the instance changes: its lease says whether it is there. */
export async function restoreInstance(
  system: System,
  asked: Asked,
  { packId, instanceId, note }: { packId: string; instanceId: string; note?: string | undefined },
): Promise<void> {
  const { caller, requestId } = asked;
  authorise(caller, "instance.restore", { packId });
  const said = readNote(note);
  const { tenantId, actor } = caller;
  const unknown = () => new SignalboxError("NOT_FOUND", `There is no instance ${instanceId} of ${packId}.`);
  if (holdsNul(packId + instanceId)) throw unknown();
  await transactOnce(system, asked, silentForm, async (tx) => {
    const changes = await bumpRegistries(tx, [tenantId]);
    const event = { kind: "restore", by: actor, note: said } as const;
    // Only a policy's probation asks for the time.
    const items = [{ tenantId, packId, instanceId, requestId, event }];
    const [decision] = await applyStanding(tx, { changes, now: system.clock.now().getTime(), items });
    if (decision === undefined) throw unknown();
    if (decision.kind !== "refused") return;
    throw new SignalboxError(
      "INVALID_STATE",
      `Instance ${instanceId} of ${packId} ${refusals[decision.reason]}.`,
    );
  });
}

const refusals = {
  "not-quarantined": "is not quarantined",
  "not-a-person": "is restored by a person only",
  "too-early": "is not yet at the end of its probation",
} as const;
