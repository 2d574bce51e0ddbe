import { and, desc, eq, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { readMoment } from "../schema/columns.ts";
import { packs } from "../schema/packs.ts";
import { bumpRegistry } from "../queries/registry-changes.ts";

export type Pack = Omit<typeof packs.$inferSelect, "tenantId" | "change">;
export type PackSummary = Omit<Pack, "manifest">;
export type NewPack = Omit<Pack, "registeredAt">;
/** Where a page ended: the next one begins after it. */
export type PackCursor = Pick<Pack, "registeredAt" | "packId" | "packVersion">;

const summary = {
  packId: packs.packId,
  packVersion: packs.packVersion,
  contentDigest: packs.contentDigest,
  safetyTier: packs.safetyTier,
  supportedTaskTypes: packs.supportedTaskTypes,
  registeredAt: packs.registeredAt,
  registeredBy: packs.registeredBy,
};

/**
 * Writes the pack, or gives `undefined` where this version exists: of two that register it at once, one waits for the
 * other's commit here and then finds its row.
 */
export async function insertPack(tx: TenantTransaction, pack: NewPack): Promise<Pack | undefined> {
  const change = await bumpRegistry(tx);
  const insert = insertRow(packs, { tenantId: tx.tenantId, ...pack, change });
  const [inserted] = await queriesOf(tx).execute(
    sql`${insert} on conflict do nothing returning registered_at`,
  );
  return inserted && { ...pack, registeredAt: readMoment(inserted["registered_at"]) };
}

export async function findPack(
  tx: TenantTransaction,
  packId: string,
  packVersion: string,
): Promise<Pack | undefined> {
  const [found] = await queriesOf(tx)
    .select({ ...summary, manifest: packs.manifest })
    .from(packs)
    .where(
      and(eq(packs.tenantId, tx.tenantId), eq(packs.packId, packId), eq(packs.packVersion, packVersion)),
    );
  return found;
}

/** The ids of all packs, each once, in their order. */
export async function listPackIds(tx: TenantTransaction): Promise<string[]> {
  const found = await queriesOf(tx)
    .selectDistinct({ packId: packs.packId })
    .from(packs)
    .where(eq(packs.tenantId, tx.tenantId))
    .orderBy(packs.packId);
  return found.map(({ packId }) => packId);
}

/** The manifests of all versions of all packs, as their JSON. */
export async function listManifests(tx: TenantTransaction): Promise<string[]> {
  const found = await queriesOf(tx)
    .select({ manifest: packs.manifest })
    .from(packs)
    .where(eq(packs.tenantId, tx.tenantId))
    .orderBy(packs.packId, packs.packVersion);
  return found.map(({ manifest }) => manifest);
}

/** Newest first; with a query, those whose id contains it, in whatever case. */
export async function listPacks(
  tx: TenantTransaction,
  page: { limit: number; after?: PackCursor | undefined; query?: string | undefined },
): Promise<{ packs: PackSummary[]; next: PackCursor | undefined }> {
  const { limit, after, query } = page;
  const found = await queriesOf(tx)
    .select(summary)
    .from(packs)
    .where(
      and(
        eq(packs.tenantId, tx.tenantId),
        query === undefined ? undefined : sql`strpos(lower(${packs.packId}), lower(${query})) > 0`,
        after &&
          sql`(${packs.registeredAt}, ${packs.packId}, ${packs.packVersion})
            < (${after.registeredAt.toISOString()}::timestamptz, ${after.packId}, ${after.packVersion})`,
      ),
    )
    .orderBy(desc(packs.registeredAt), desc(packs.packId), desc(packs.packVersion))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    packs: shown,
    next: found.length > limit && last ? pick(last) : undefined,
  };
}

function pick({ registeredAt, packId, packVersion }: PackSummary): PackCursor {
  return { registeredAt, packId, packVersion };
}
