import { and, desc, eq, getTableColumns, isNotNull, isNull, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { escalations } from "../schema/escalations.ts";

export type StoredEscalation = Omit<typeof escalations.$inferSelect, "tenantId">;
export type EscalationCursor = Pick<StoredEscalation, "openedAt" | "pipelineId" | "number">;

const { tenantId, ...columns } = getTableColumns(escalations);

/** Newest first; all, or those that are open, or those that are not. */
export async function listEscalations(
  tx: TenantTransaction,
  page: { limit: number; after?: EscalationCursor | undefined; open?: boolean | undefined },
): Promise<{ escalations: StoredEscalation[]; next: EscalationCursor | undefined }> {
  const { limit, after, open } = page;
  const found = await queriesOf(tx)
    .select(columns)
    .from(escalations)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        open === undefined ? undefined : (open ? isNull : isNotNull)(escalations.closedAt),
        after &&
          sql`(${escalations.openedAt}, ${escalations.pipelineId}, ${escalations.number})
            < (${after.openedAt.toISOString()}::timestamptz, ${after.pipelineId}, ${after.number}::int)`,
      ),
    )
    .orderBy(desc(escalations.openedAt), desc(escalations.pipelineId), desc(escalations.number))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    escalations: shown,
    next:
      found.length > limit && last
        ? { openedAt: last.openedAt, pipelineId: last.pipelineId, number: last.number }
        : undefined,
  };
}

export async function findEscalation(
  tx: TenantTransaction,
  pipelineId: string,
  number: number,
): Promise<StoredEscalation | undefined> {
  const [found] = await queriesOf(tx)
    .select(columns)
    .from(escalations)
    .where(
      and(eq(tenantId, tx.tenantId), eq(escalations.pipelineId, pipelineId), eq(escalations.number, number)),
    );
  return found;
}
