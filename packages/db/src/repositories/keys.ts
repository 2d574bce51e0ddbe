import { and, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import {
  type BatchTransaction,
  connectionOf,
  queriesOf,
  type Database,
  type Statement,
  type TenantTransaction,
} from "../database.ts";
import { fromNow, insertRow } from "../insert-row.ts";
import { demanded } from "../queries/demanded.ts";
import { recordset } from "../queries/recordset.ts";
import { keys } from "../schema/keys.ts";

export type Key = Omit<typeof keys.$inferSelect, "tenantId" | "hash">;
export type NewKey = Pick<
  typeof keys.$inferInsert,
  "hash" | "prefix" | "label" | "role" | "createdBy" | "packIds" | "expiresAt"
> & {
  /** From the database's now, by which its end is judged. */
  lastsMinutes?: number;
};
/** Where a page ended: the next one begins after it. */
export type KeyCursor = Pick<Key, "createdAt" | "keyId">;

export interface FoundKey {
  tenantId: string;
  keyId: string;
  label: string;
  role: string;
  /** By the database's clock. */
  status: "active" | "expired" | "revoked";
  /** The packs that it may speak for; undefined where it is bound to none. */
  packIds: readonly string[] | undefined;
}

/** Whose key has this SHA-256? Runs before the tenant is known, through a function that finds by exact hash only. */
export async function findKeyByHash(database: Database, hash: Uint8Array): Promise<FoundKey | undefined> {
  const [found] = await findKeysByHash(database, [hash]);
  return found;
}

/** The same of many, in their order and by one statement: programs that ask at once cost one round trip. */
export async function findKeysByHash(
  database: Database,
  hashes: readonly Uint8Array[],
): Promise<(FoundKey | undefined)[]> {
  const wanted = hashes.map((hash, place) => ({ place, hash: Buffer.from(hash).toString("hex") }));
  const rows = await connectionOf(database).read(sql`
    select given.place, found.* from ${recordset(wanted, { place: "int", hash: "text" })}
    cross join lateral signalbox.find_key_by_hash(decode(given.hash, 'hex')) as found`);
  const found = new Map(rows.map((row) => [Number(row["place"]), foundKey(row)]));
  return hashes.map((_hash, place) => found.get(place));
}

/** The same of a key that is known by its id, within its tenant. */
export async function findKeyStanding(tx: TenantTransaction, keyId: string): Promise<FoundKey | undefined> {
  const [row] = await queriesOf(tx).execute(sql`
    select tenant_id, key_id, label, role, to_json(pack_ids)::text as pack_ids,
      case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as status
    from signalbox.keys where tenant_id = ${tx.tenantId} and key_id = ${keyId}::uuid`);
  return row && foundKey(row);
}

/** Which of the keys with these hashes, in hexadecimal, count at this moment of the transaction. */
export async function findCountingKeys(
  tx: BatchTransaction,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await queriesOf(tx).execute<{ hash: string }>(
    sql`select counting.hash from ${countingOf(hashes)}`,
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Fails the transaction where one of them does not count. */
export const demandCountingKeys = (hashes: readonly string[]): Statement =>
  hashes.length === 0
    ? undefined
    : sql`select ${demanded(sql`count(*) = ${hashes.length}`)} from ${countingOf(hashes)}`;

const countingOf = (hashes: readonly string[]): SQL => sql`(
    select given.hash from ${recordset(
      hashes.map((hash) => ({ hash })),
      { hash: "text" },
    )}
    cross join lateral signalbox.find_key_by_hash(decode(given.hash, 'hex')) as found
    where found.status = 'active') as counting`;

const foundKey = (row: Record<string, unknown>): FoundKey => ({
  tenantId: String(row["tenant_id"]),
  keyId: String(row["key_id"]),
  label: String(row["label"]),
  role: String(row["role"]),
  status: row["status"] === "active" || row["status"] === "revoked" ? row["status"] : "expired",
  packIds: maybeTexts(row["pack_ids"]) ?? undefined,
});

function maybeTexts(json: unknown): string[] | null {
  if (typeof json !== "string") return null;
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new TypeError("pack_ids is not a list");
  return list.map(String);
}

/** Writes the key, or gives `undefined` where one with this hash exists. */
export async function insertKey(
  tx: TenantTransaction,
  { lastsMinutes, ...key }: NewKey,
): Promise<{ keyId: string } | undefined> {
  const insert = insertRow(keys, {
    tenantId: tx.tenantId,
    ...key,
    ...(lastsMinutes !== undefined && { expiresAt: fromNow(lastsMinutes) }),
  });
  const [inserted] = await queriesOf(tx).execute(
    sql`${insert} on conflict (hash) do nothing returning key_id`,
  );
  return inserted && { keyId: String(inserted["key_id"]) };
}

/** Newest first; without the hash, which nobody needs to see. */
export async function listKeys(
  tx: TenantTransaction,
  { limit, after }: { limit: number; after?: KeyCursor | undefined },
): Promise<{ keys: Key[]; next: KeyCursor | undefined }> {
  const found = await queriesOf(tx)
    .select(shown)
    .from(keys)
    .where(
      and(
        eq(keys.tenantId, tx.tenantId),
        after &&
          sql`(${keys.createdAt}, ${keys.keyId}) < (${after.createdAt.toISOString()}::timestamptz, ${after.keyId}::uuid)`,
      ),
    )
    .orderBy(desc(keys.createdAt), desc(keys.keyId))
    .limit(limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    keys: page,
    next: found.length > limit && last ? { createdAt: last.createdAt, keyId: last.keyId } : undefined,
  };
}

export async function findKey(tx: TenantTransaction, keyId: string): Promise<Key | undefined> {
  const [found] = await queriesOf(tx)
    .select(shown)
    .from(keys)
    .where(and(eq(keys.tenantId, tx.tenantId), eq(keys.keyId, keyId)));
  return found;
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

/** Who made the key, and where that was a key, who made that one, and so on: the actors' ids. */
export async function findKeyMakers(tx: TenantTransaction, keyId: string): Promise<string[]> {
  const rows = await queriesOf(tx).execute<{ createdBy: string }>(sql`
    with recursive made as (
      select created_by from signalbox.keys where tenant_id = ${tx.tenantId} and key_id = ${keyId}::uuid
      union
      select maker.created_by from made join signalbox.keys maker
        on maker.tenant_id = ${tx.tenantId}
        and maker.key_id = substring(made.created_by from '^key/.*/([0-9a-f-]{36})$')::uuid
    )
    select created_by as "createdBy" from made`);
  return Array.from(rows, ({ createdBy }) => createdBy);
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
  // Drizzle's own reader of arrays loses a backslash.
  packIds: sql<string[] | null>`to_json(${keys.packIds})`.mapWith(maybeTexts),
  expiresAt: keys.expiresAt,
  lastUsedAt: keys.lastUsedAt,
  revokedAt: keys.revokedAt,
};
