import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { readMoment } from "../schema/columns.ts";
import { escalationComments } from "../schema/escalation-comments.ts";
import type { EscalationPlace } from "./escalations.ts";

export type StoredComment = Pick<
  typeof escalationComments.$inferSelect,
  "ordinal" | "authorId" | "text" | "createdAt"
>;

const { ordinal, authorId, text, createdAt } = getTableColumns(escalationComments);

const of = (tx: TenantTransaction, { pipelineId, number }: EscalationPlace) =>
  and(
    eq(escalationComments.tenantId, tx.tenantId),
    eq(escalationComments.pipelineId, pipelineId),
    eq(escalationComments.number, number),
  );

/** In the order in which they were written. */
export const listComments = (tx: TenantTransaction, place: EscalationPlace): Promise<StoredComment[]> =>
  queriesOf(tx)
    .select({ ordinal, authorId, text, createdAt })
    .from(escalationComments)
    .where(of(tx, place))
    .orderBy(asc(ordinal));

/** Whoever holds the escalation's lock knows the last one's place. */
export async function lastCommentOrdinal(tx: TenantTransaction, place: EscalationPlace): Promise<number> {
  const [found] = await queriesOf(tx)
    .select({ last: sql<number | null>`max(${ordinal})` })
    .from(escalationComments)
    .where(of(tx, place));
  return found?.last ?? 0;
}

export async function insertComment(
  tx: TenantTransaction,
  comment: EscalationPlace & Pick<StoredComment, "ordinal" | "authorId" | "text">,
): Promise<StoredComment> {
  const insert = insertRow(escalationComments, { tenantId: tx.tenantId, ...comment });
  const [inserted] = await queriesOf(tx).execute(sql`${insert} returning created_at`);
  const { ordinal: place, authorId: author, text: said } = comment;
  return { ordinal: place, authorId: author, text: said, createdAt: readMoment(inserted?.["created_at"]) };
}
