import { and, eq, gt, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { attachments } from "../schema/attachments.ts";

export type NewAttachment = Pick<
  typeof attachments.$inferInsert,
  "name" | "mediaType" | "size" | "digest" | "linkSecret" | "keptBy" | "content"
>;
export type Attachment = Omit<typeof attachments.$inferSelect, "tenantId" | "content">;

const FORGOTTEN_AT_ONCE = 100;

/**
 * Makes room: what is over goes, and what is left is counted, with the tenant's name held until the transaction ends, so
 * that two who come at once do not both find the last room.
 */
export async function roomTaken(tx: TenantTransaction): Promise<number> {
  const queries = queriesOf(tx);
  const name = JSON.stringify(["attachments", tx.tenantId]);
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 48))`);
  await queries.execute(sql`
    delete from signalbox.attachments own using (
      select old.attachment_id from signalbox.attachments old
      where old.tenant_id = ${tx.tenantId} and old.expires_at <= now() limit ${FORGOTTEN_AT_ONCE}
    ) as old
    where own.tenant_id = ${tx.tenantId} and own.attachment_id = old.attachment_id`);
  const [row] = await queries.execute<{ taken: number }>(sql`
    select coalesce(sum(size), 0)::float8 as taken from signalbox.attachments where tenant_id = ${tx.tenantId}`);
  return row?.taken ?? 0;
}

export async function insertAttachment(tx: TenantTransaction, kept: NewAttachment): Promise<Attachment> {
  const insert = insertRow(attachments, { tenantId: tx.tenantId, ...kept });
  const [row] = await queriesOf(tx).execute(sql`${insert} returning attachment_id`);
  const found = await findAttachment(tx, String(row?.["attachment_id"]));
  if (found === undefined) throw new Error("an attachment was kept and is not there");
  return found;
}

const isThere = (tx: TenantTransaction, attachmentId: string) =>
  and(
    eq(attachments.tenantId, tx.tenantId),
    eq(attachments.attachmentId, attachmentId),
    gt(attachments.expiresAt, sql`now()`),
  );

/** All but its content. */
export async function findAttachment(
  tx: TenantTransaction,
  attachmentId: string,
): Promise<Attachment | undefined> {
  const [found] = await queriesOf(tx)
    .select({
      attachmentId: attachments.attachmentId,
      name: attachments.name,
      mediaType: attachments.mediaType,
      size: attachments.size,
      digest: attachments.digest,
      linkSecret: attachments.linkSecret,
      keptBy: attachments.keptBy,
      keptAt: attachments.keptAt,
      expiresAt: attachments.expiresAt,
    })
    .from(attachments)
    .where(isThere(tx, attachmentId));
  return found;
}

export async function contentOfAttachment(
  tx: TenantTransaction,
  attachmentId: string,
): Promise<Uint8Array | undefined> {
  const [found] = await queriesOf(tx)
    .select({ content: attachments.content })
    .from(attachments)
    .where(isThere(tx, attachmentId));
  return found?.content;
}
