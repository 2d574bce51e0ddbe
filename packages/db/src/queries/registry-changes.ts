import { type SQL, sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction, type Statement, type TenantTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

/** Raises the count of these tenants' registries and holds them until the commit; gives the change that is to be written. */
export async function bumpRegistries(
  tx: BatchTransaction,
  tenantIds: readonly string[],
): Promise<Map<string, number>> {
  if (tenantIds.length === 0) {
    return new Map();
  }
  const bumped = await queriesOf(tx).execute<{ tenantId: string; change: string }>(bumpOf(tenantIds));
  return new Map(bumped.map(({ tenantId, change }) => [tenantId, Number(change)]));
}

/** The same for `commitWith`. */
export const bumpOfRegistries = (tenantIds: readonly string[]): Statement => bumpOf(tenantIds);

function bumpOf(tenantIds: readonly string[]): SQL {
  const rows = [...new Set(tenantIds)].map((tenantId) => ({ tenantId }));
  return sql`
    insert into signalbox.registries as own (tenant_id, change)
    select "tenantId", 1 from ${recordset(rows, { tenantId: "text" })} order by "tenantId"
    on conflict (tenant_id) do update set change = own.change + 1
    returning tenant_id as "tenantId", change`;
}

export async function bumpRegistry(tx: TenantTransaction): Promise<number> {
  const bumped = await bumpRegistries(tx, tx.tenantIds);
  return bumped.get(tx.tenantId) ?? 0;
}

export interface RegistryChange {
  tenantId: string;
  /** 0 for a tenant whose registry never changed. */
  change: number;
  /** The active routing policy's version. */
  policyVersion: string | null;
}

export async function readRegistryChanges(
  tx: BatchTransaction,
  tenantIds: readonly string[],
): Promise<RegistryChange[]> {
  if (tenantIds.length === 0) {
    return [];
  }
  const rows = [...new Set(tenantIds)].map((tenantId) => ({ tenantId }));
  const found = await queriesOf(tx).execute<{
    tenantId: string;
    change: number;
    policyVersion: string | null;
  }>(sql`
    select given."tenantId", coalesce(own.change, 0)::float8 as change, policy.version as "policyVersion"
    from ${recordset(rows, { tenantId: "text" })}
    left join signalbox.registries own on own.tenant_id = given."tenantId"
    left join signalbox.routing_policies policy on policy.tenant_id = given."tenantId" and policy.status = 'active'`);
  return Array.from(found);
}
