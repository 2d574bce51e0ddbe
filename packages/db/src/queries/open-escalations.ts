import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";

/** By `escalations_open`, whose rows are those that wait: up to so many, for whoever has more needs no exact number. */
export async function countUnresolvedEscalations(tx: TenantTransaction, most: number): Promise<number> {
  const [found] = await queriesOf(tx).execute<{ open: number }>(sql`
    select count(*)::int as open from (
      select 1 from signalbox.escalations where tenant_id = ${tx.tenantId} and closed_at is null limit ${most}::int
    ) as waiting`);
  return found?.open ?? 0;
}
