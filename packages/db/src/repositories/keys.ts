import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { keys } from "../schema/keys.ts";

export type Key = Omit<typeof keys.$inferSelect, "tenantId" | "hash">;
export type NewKey = Pick<
  typeof keys.$inferInsert,
  "hash" | "prefix" | "label" | "role" | "createdBy" | "expiresAt"
>;

export interface FoundKey {
  tenantId: string;
  keyId: string;
  label: string;
  role: string;
  /** By the database's clock. */
  status: "active" | "expired" | "revoked";
}

/** Whose key has this SHA-256? Runs before the tenant is known, through a function that finds by exact hash only. */
export async function findKeyByHash(database: Database, hash: Uint8Array): Promise<FoundKey | undefined> {
  const [row] = await connectionOf(database).read(sql`select * from signalbox.find_key_by_hash(${hash})`);
  return (
    row && {
      tenantId: String(row["tenant_id"]),
      keyId: String(row["key_id"]),
      label: String(row["label"]),
      role: String(row["role"]),
      status: row["status"] === "active" || row["status"] === "revoked" ? row["status"] : "expired",
    }
  );
}

/** Writes the key, or gives `undefined` where one with this hash exists. */
export async function insertKey(tx: TenantTransaction, key: NewKey): Promise<{ keyId: string } | undefined> {
  const insert = insertRow(keys, { tenantId: tx.tenantId, ...key });
  const [inserted] = await queriesOf(tx).execute(
    sql`${insert} on conflict (hash) do nothing returning key_id`,
  );
  return inserted && { keyId: String(inserted["key_id"]) };
}

/** Newest first; without the hash, which nobody needs to see. */
export function listKeys(tx: TenantTransaction): Promise<Key[]> {
  return queriesOf(tx)
    .select(shown)
    .from(keys)
    .where(eq(keys.tenantId, tx.tenantId))
    .orderBy(desc(keys.createdAt), desc(keys.keyId));
}

/** Says whether there was a key to revoke. */
export async function revokeKey(tx: TenantTransaction, keyId: string): Promise<boolean> {
  const revoked = await queriesOf(tx)
    .update(keys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(keys.tenantId, tx.tenantId), eq(keys.keyId, keyId), isNull(keys.revokedAt)))
    .returning({ keyId: keys.keyId });
  return revoked.length === 1;
}

/** Revokes what `createdBy` made under this label, but for the key with the hash; gives the ids of those it revoked. */
export async function revokeOtherKeys(
  tx: TenantTransaction,
  { label, createdBy, kept }: { label: string; createdBy: string; kept: Uint8Array | undefined },
): Promise<{ keyId: string }[]> {
  return queriesOf(tx)
    .update(keys)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(keys.tenantId, tx.tenantId),
        eq(keys.label, label),
        eq(keys.createdBy, createdBy),
        isNull(keys.revokedAt),
        kept && ne(keys.hash, kept),
      ),
    )
    .returning({ keyId: keys.keyId });
}

/** To the minute: a busy key must not cost a write a request. */
export async function markKeyUsed(tx: TenantTransaction, keyId: string): Promise<void> {
  await queriesOf(tx)
    .update(keys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(keys.tenantId, tx.tenantId),
        eq(keys.keyId, keyId),
        sql`(${keys.lastUsedAt} is null or ${keys.lastUsedAt} < now() - interval '1 minute')`,
      ),
    );
}

const shown = {
  keyId: keys.keyId,
  prefix: keys.prefix,
  label: keys.label,
  role: keys.role,
  createdAt: keys.createdAt,
  createdBy: keys.createdBy,
  expiresAt: keys.expiresAt,
  lastUsedAt: keys.lastUsedAt,
  revokedAt: keys.revokedAt,
};
