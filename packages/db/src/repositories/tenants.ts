import { eq, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { tenants } from "../schema/tenants.ts";

export type Tenant = typeof tenants.$inferSelect;

/** Makes this transaction's tenant unless it exists; says whether it did. */
export async function ensureTenant(tx: TenantTransaction, tenant: { name: string }): Promise<boolean> {
  const insert = insertRow(tenants, { tenantId: tx.tenantId, name: tenant.name });
  const made = await queriesOf(tx).execute(sql`${insert} on conflict do nothing returning tenant_id`);
  return made.length === 1;
}

export async function findTenant(tx: TenantTransaction): Promise<Tenant | undefined> {
  const [found] = await queriesOf(tx).select().from(tenants).where(eq(tenants.tenantId, tx.tenantId));
  return found;
}
