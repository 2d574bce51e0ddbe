import { sql, type SQL } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface InstanceRow {
  packId: string;
  instanceId: string;
  change: number;
  /** The last AgentHeartbeat's JSON. */
  heartbeat: string;
  packVersion: string | null;
  /** HealthStatus's number, as it says itself. */
  health: number;
  firstSeenAt: number;
  heardAt: number;
  leaseExpiresAt: number;
  draining: boolean;
  drainingSince: number | null;
  drainingReason: string;
  /** Its open dispatches when the heartbeat was heard; null where they were not counted then. */
  dispatchesWhenHeard: number | null;
  consecutiveInvalid: number;
  lastError: string;
  quarantinedAt: number | null;
  quarantinedByResults: boolean;
  probationSince: number | null;
}

/** Change numbers stay far below what a number holds exactly: a thousand a second for 285,000 years. */
const changeNumber = sql`change::float8 as change`;

export const instanceColumns: SQL = sql`
  pack_id as "packId", instance_id as "instanceId", ${changeNumber}, heartbeat, pack_version as "packVersion", health,
  ${epochMs(sql`first_seen_at`)} as "firstSeenAt", ${epochMs(sql`heard_at`)} as "heardAt",
  ${epochMs(sql`lease_expires_at`)} as "leaseExpiresAt", draining,
  ${epochMs(sql`case when draining then coalesce(draining_since, heard_at) end`)} as "drainingSince",
  draining_reason as "drainingReason",
  dispatches_when_heard as "dispatchesWhenHeard", consecutive_invalid as "consecutiveInvalid",
  last_error as "lastError", ${epochMs(sql`quarantined_at`)} as "quarantinedAt",
  quarantined_by_results as "quarantinedByResults", ${epochMs(sql`probation_since`)} as "probationSince"`;

/** What came after this change; a tenant's own, for a batch sees those of all its tenants. */
export async function loadInstancesSince(
  tx: BatchTransaction,
  tenantId: string,
  change: number,
): Promise<InstanceRow[]> {
  const found = await queriesOf(tx).execute<InstanceRow & Record<string, unknown>>(sql`
    select ${instanceColumns} from signalbox.instances where tenant_id = ${tenantId} and change > ${change}`);
  return Array.from(found);
}

export interface PackRow {
  packId: string;
  packVersion: string;
  manifest: string;
  change: number;
}

export async function loadPacksSince(
  tx: BatchTransaction,
  tenantId: string,
  change: number,
): Promise<PackRow[]> {
  const found = await queriesOf(tx).execute<PackRow & Record<string, unknown>>(sql`
    select pack_id as "packId", pack_version as "packVersion", manifest, ${changeNumber}
    from signalbox.packs where tenant_id = ${tenantId} and change > ${change}`);
  return Array.from(found);
}

export interface BreakerRow {
  packId: string;
  taskType: string;
  change: number;
  /** Core's BreakerState as JSON. */
  state: string;
}

export async function loadBreakersSince(
  tx: BatchTransaction,
  tenantId: string,
  change: number,
): Promise<BreakerRow[]> {
  const found = await queriesOf(tx).execute<BreakerRow & Record<string, unknown>>(sql`
    select pack_id as "packId", task_type as "taskType", state, ${changeNumber}
    from signalbox.breakers where tenant_id = ${tenantId} and change > ${change}`);
  return Array.from(found);
}

export interface BreakerKey {
  tenantId: string;
  packId: string;
  taskType: string;
}

/** These as they are now; one that never moved has no row. */
export async function findBreakers(
  tx: BatchTransaction,
  keys: readonly BreakerKey[],
): Promise<(BreakerKey & { state: string })[]> {
  if (keys.length === 0) {
    return [];
  }
  const shape = { tenantId: "text", packId: "text", taskType: "text" } as const;
  const found = await queriesOf(tx).execute<BreakerKey & { state: string } & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pack_id as "packId", own.task_type as "taskType", own.state
    from ${recordset(keys, shape)}
    join signalbox.breakers own on own.tenant_id = given."tenantId" and own.pack_id = given."packId"
      and own.task_type = given."taskType"`);
  return Array.from(found);
}

export async function openDispatchCounts(
  tx: BatchTransaction,
  tenantId: string,
): Promise<{ packId: string; instanceId: string; open: number }[]> {
  const found = await queriesOf(tx).execute<{ packId: string; instanceId: string; open: number }>(sql`
    select pack_id as "packId", instance_id as "instanceId", count(*)::int as open
    from signalbox.open_dispatches where tenant_id = ${tenantId} group by pack_id, instance_id`);
  return Array.from(found);
}
