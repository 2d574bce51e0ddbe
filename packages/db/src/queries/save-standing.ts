import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { INSTANCE_KEY, type InstanceKey } from "./keys.ts";
import { fromEpochMs, recordset } from "./recordset.ts";

interface InstanceChange extends InstanceKey {
  /** The registry's change, which bumpRegistries gave for its tenant in this transaction. */
  change: number;
}

export interface StandingChange extends InstanceChange {
  consecutiveInvalid: number;
  lastError: string;
  quarantinedAt: number | null;
  byResults: boolean;
  probationSince: number | null;
}

export interface DrainingChange extends InstanceChange {
  drainingSince: number | null;
  drainingReason: string;
}

const INSTANCE_CHANGE = { ...INSTANCE_KEY, change: "bigint" } as const;

const sameInstance = sql`own.tenant_id = given."tenantId" and own.pack_id = given."packId"
  and own.instance_id = given."instanceId"`;

export async function saveStanding(tx: BatchTransaction, rows: readonly StandingChange[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const shape = {
    ...INSTANCE_CHANGE,
    consecutiveInvalid: "int",
    lastError: "text",
    quarantinedAt: "float8",
    byResults: "boolean",
    probationSince: "float8",
  } as const;
  await queriesOf(tx).execute(sql`
    update signalbox.instances own
    set change = given.change, consecutive_invalid = given."consecutiveInvalid", last_error = given."lastError",
      quarantined_at = ${fromEpochMs(sql`given."quarantinedAt"`)}, quarantined_by_results = given."byResults",
      probation_since = ${fromEpochMs(sql`given."probationSince"`)}
    from ${recordset(rows, shape)} where ${sameInstance}`);
}

export async function saveDraining(tx: BatchTransaction, rows: readonly DrainingChange[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    update signalbox.instances own
    set change = given.change, draining = given."drainingSince" is not null,
      draining_since = ${fromEpochMs(sql`given."drainingSince"`)}, draining_reason = given."drainingReason"
    from ${recordset(rows, { ...INSTANCE_CHANGE, drainingSince: "float8", drainingReason: "text" })}
    where ${sameInstance}`);
}
