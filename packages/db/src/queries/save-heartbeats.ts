import { type SQL, sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import { demanded } from "./demanded.ts";
import { INSTANCE_KEY, type InstanceKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";
import { bumpOfRegistries } from "./registry-changes.ts";

export interface NewHeartbeat extends InstanceKey {
  /** The AgentHeartbeat's JSON. */
  heartbeat: string;
  /** Null keeps what is known. */
  packVersion: string | null;
  /** HealthStatus's number. */
  health: number;
  /** It does not say that it is HEALTHY. */
  isUnwell: boolean;
  leaseMs: number;
}

export interface SavedHeartbeat extends InstanceKey {
  leaseExpiresAt: number;
  draining: boolean;
  /** HealthStatus's number; before this heartbeat null where it was not there. */
  health: number;
  healthBefore: number | null;
  quarantinedAt: number | null;
  /** It was not there. */
  isNew: boolean;
  /** Readers had been told that its lease ended. */
  wasLost: boolean;
  /** It was not there, or its lease had ended. */
  returned: boolean;
}

/**
 * Of an instance that comes twice the later one counts. Standing and draining are others' to change (D7). The registry's
 * change is the one that bumpRegistries made in this transaction, so that nobody waits for its answer in between.
 */
export async function saveHeartbeats(
  tx: BatchTransaction,
  heartbeats: readonly NewHeartbeat[],
): Promise<SavedHeartbeat[]> {
  if (heartbeats.length === 0) {
    return [];
  }
  const saved = await queriesOf(tx).execute<SavedHeartbeat & Record<string, unknown>>(
    saveOf(heartbeats, changeInTable),
  );
  return Array.from(saved);
}

/** Of an instance that was there, was not lost, and says the same health as before. */
export type PlainHeartbeat = InstanceKey &
  Pick<SavedHeartbeat, "leaseExpiresAt" | "draining" | "quarantinedAt" | "returned">;

/**
 * The same for `commitWith`, where nothing of them is to be told: it fails the transaction where one is new here, was taken
 * for lost or says another health than before. It raises the registries' change itself, and `demandCountingKeys` goes in it:
 * each statement more costs both processes more than what these three ask for.
 */
export function saveOfPlainHeartbeats(
  heartbeats: readonly NewHeartbeat[],
  confirmation: Statement,
): Statement {
  const tenantIds = heartbeats.map(({ tenantId }) => tenantId);
  return sql`
    with bumped as (${bumpOfRegistries(tenantIds)}),
    saved as (${saveOf(heartbeats, changeIn(sql`(select jsonb_object_agg("tenantId", change) from bumped)`))})
    select "tenantId", "packId", "instanceId", "leaseExpiresAt", draining, "quarantinedAt", returned from saved
    where (select ${demanded(sql`bool_and(not "isNew" and not "wasLost" and health = "healthBefore")`)} from saved) = 1
      and (${confirmation ?? sql`select 1`}) = 1`;
}

/** Of the registries that this statement raises: what it writes it does not see in the table. */
const changeIn = (changes: SQL): SQL => sql`(${changes} ->> "tenantId")::bigint`;
const changeInTable = sql`coalesce((select change from signalbox.registries where tenant_id = "tenantId"), 0)`;

function saveOf(heartbeats: readonly NewHeartbeat[], change: SQL): SQL {
  const latest = new Map(
    heartbeats.map((row) => [JSON.stringify([row.tenantId, row.packId, row.instanceId]), row]),
  );
  const shape = {
    ...INSTANCE_KEY,
    packVersion: "text",
    health: "int",
    isUnwell: "boolean",
    leaseMs: "float8",
  } as const;
  return sql`
    insert into signalbox.instances as own
      (tenant_id, pack_id, instance_id, change, heartbeat, pack_version, health, unwell_since, lease_expires_at,
       dispatches_when_heard)
    select "tenantId", "packId", "instanceId", ${change}, heartbeat::json, "packVersion", health,
      case when "isUnwell" then now() end, now() + "leaseMs" * interval '1 millisecond',
      (select count(*)::int from signalbox.open_dispatches open
       where open.tenant_id = "tenantId" and open.pack_id = "packId" and open.instance_id = "instanceId")
    from ${recordset([...latest.values()], shape, ["heartbeat"])}
    order by "tenantId", "packId", "instanceId"
    on conflict (tenant_id, pack_id, instance_id) do update
    set change = excluded.change, heartbeat = excluded.heartbeat, health = excluded.health, heard_at = now(),
      unwell_since = case when excluded.unwell_since is null then null else coalesce(own.unwell_since, excluded.unwell_since) end,
      pack_version = coalesce(excluded.pack_version, own.pack_version), lease_expires_at = excluded.lease_expires_at,
      dispatches_when_heard = excluded.dispatches_when_heard, told_lost = false
    returning tenant_id as "tenantId", pack_id as "packId", instance_id as "instanceId",
      ${epochMs(sql`lease_expires_at`)} as "leaseExpiresAt", draining, health,
      old.health as "healthBefore", coalesce(old.told_lost, false) as "wasLost", ${epochMs(sql`quarantined_at`)} as "quarantinedAt",
      old.tenant_id is null as "isNew", coalesce(old.lease_expires_at <= now(), true) as returned`;
}
