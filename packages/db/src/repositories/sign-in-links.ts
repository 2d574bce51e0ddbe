import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { fromNow, insertRow } from "../insert-row.ts";
import { readMoment } from "../schema/columns.ts";
import { signInLinks } from "../schema/sign-in-links.ts";

export type NewSignInLink = Pick<
  typeof signInLinks.$inferInsert,
  "hash" | "actorId" | "role" | "createdBy"
> & {
  /** From the database's now, by which its end is judged: the clock of whoever asks may be wrong. */
  lastsMinutes: number;
};

export interface FoundSignInLink {
  tenantId: string;
  linkId: string;
  actorId: string;
  role: string;
  /** By the database's clock. */
  status: "active" | "expired" | "used";
}

/** Whose link has this SHA-256? Runs before the tenant is known, through a function that finds by exact hash only. */
export async function findSignInLinkByHash(
  database: Database,
  hash: Uint8Array,
): Promise<FoundSignInLink | undefined> {
  const [row] = await connectionOf(database).read(
    sql`select * from signalbox.find_sign_in_link_by_hash(${hash})`,
  );
  return (
    row && {
      tenantId: String(row["tenant_id"]),
      linkId: String(row["link_id"]),
      actorId: String(row["actor_id"]),
      role: String(row["role"]),
      status: row["status"] === "active" || row["status"] === "used" ? row["status"] : "expired",
    }
  );
}

export async function insertSignInLink(
  tx: TenantTransaction,
  { lastsMinutes, ...link }: NewSignInLink,
): Promise<{ linkId: string; expiresAt: Date }> {
  const insert = insertRow(signInLinks, { tenantId: tx.tenantId, ...link, expiresAt: fromNow(lastsMinutes) });
  const [inserted] = await queriesOf(tx).execute(sql`${insert} returning link_id, expires_at`);
  return { linkId: String(inserted?.["link_id"]), expiresAt: readMoment(inserted?.["expires_at"]) };
}

/**
 * Uses the link up; `false` where it is used or past its time. Of two at once, the second waits for the first's commit
 * and then no longer matches.
 */
export async function consumeSignInLink(tx: TenantTransaction, linkId: string): Promise<boolean> {
  const used = await queriesOf(tx)
    .update(signInLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(signInLinks.tenantId, tx.tenantId),
        eq(signInLinks.linkId, linkId),
        isNull(signInLinks.usedAt),
        sql`${signInLinks.expiresAt} > now()`,
      ),
    )
    .returning({ linkId: signInLinks.linkId });
  return used.length === 1;
}

/** Uses up all that members made for somebody; says whether one of them could still have been used. */
export async function voidSignInLinks(tx: TenantTransaction, actorId: string): Promise<boolean> {
  const voided = await queriesOf(tx)
    .update(signInLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(signInLinks.tenantId, tx.tenantId),
        eq(signInLinks.actorId, actorId),
        isNotNull(signInLinks.createdBy),
        isNull(signInLinks.usedAt),
      ),
    )
    .returning({ usable: sql<boolean>`${signInLinks.expiresAt} > now()` });
  return voided.some(({ usable }) => usable);
}
