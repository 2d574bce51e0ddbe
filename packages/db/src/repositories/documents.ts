import { and, desc, eq, getTableColumns, ne, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { bumpRegistry } from "../queries/registry-changes.ts";
import { pipelineTemplates } from "../schema/pipeline-templates.ts";
import { routingPolicies } from "../schema/routing-policies.ts";

export type DocumentKind = "routing-policy" | "pipeline-templates";

export type StoredDocument = Omit<typeof routingPolicies.$inferSelect, "tenantId">;
export type DocumentVersion = Omit<StoredDocument, "document">;
export type NewDocument = Pick<StoredDocument, "version" | "document" | "note" | "createdBy">;
export type DocumentCursor = Pick<DocumentVersion, "createdAt" | "version">;

/** Both tables have the same columns; what is done with one is done with the other. */
function tableOf(kind: DocumentKind): typeof routingPolicies {
  if (kind === "routing-policy") {
    return routingPolicies;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two differ in the table's name only
  return pipelineTemplates as unknown as typeof routingPolicies;
}

/** Writes the draft, or gives `undefined` where this version exists. */
export async function insertDraft(
  tx: TenantTransaction,
  kind: DocumentKind,
  draft: NewDocument,
): Promise<StoredDocument | undefined> {
  const insert = insertRow(tableOf(kind), { tenantId: tx.tenantId, ...draft });
  const made = await queriesOf(tx).execute(sql`${insert} on conflict do nothing returning version`);
  return made.length === 0 ? undefined : findDocument(tx, kind, draft.version);
}

/** `undefined`: there is no such draft, or somebody else changed it since this author read it. */
export async function updateDraft(
  tx: TenantTransaction,
  kind: DocumentKind,
  change: Pick<StoredDocument, "version" | "edit" | "document" | "note">,
): Promise<StoredDocument | undefined> {
  const table = tableOf(kind);
  const { tenantId: _, ...columns } = getTableColumns(table);
  const [changed] = await queriesOf(tx)
    .update(table)
    .set({ document: change.document, note: change.note, edit: change.edit + 1 })
    .where(
      and(
        eq(table.tenantId, tx.tenantId),
        eq(table.version, change.version),
        eq(table.status, "draft"),
        eq(table.edit, change.edit),
      ),
    )
    .returning(columns);
  return changed;
}

/** Says whether there was such a draft, at this edit. */
export async function discardDraft(
  tx: TenantTransaction,
  kind: DocumentKind,
  { version, edit }: { version: string; edit: number },
): Promise<boolean> {
  const table = tableOf(kind);
  const discarded = await queriesOf(tx)
    .delete(table)
    .where(
      and(
        eq(table.tenantId, tx.tenantId),
        eq(table.version, version),
        eq(table.status, "draft"),
        eq(table.edit, edit),
      ),
    )
    .returning({ version: table.version });
  return discarded.length === 1;
}

/**
 * Makes a draft, or a version that was retired, the active one and retires the one before; gives `undefined` where there
 * is no such version, it is active already, or it was edited since. The registry's row is taken first: of two who publish,
 * the second waits there and then retires what the first one published.
 */
export async function publishDocument(
  tx: TenantTransaction,
  kind: DocumentKind,
  {
    version,
    publishedBy,
    edit,
    note,
  }: { version: string; publishedBy: string; edit?: number | undefined; note?: string | undefined },
): Promise<{ published: DocumentVersion; retired: string | undefined } | undefined> {
  await bumpRegistry(tx);
  const table = tableOf(kind);
  const [found] = await queriesOf(tx)
    .select({ edit: table.edit, status: table.status })
    .from(table)
    .where(and(eq(table.tenantId, tx.tenantId), eq(table.version, version), ne(table.status, "active")))
    .for("update");
  if (found === undefined || (edit !== undefined && found.edit !== edit)) {
    return undefined;
  }
  // What was published once keeps its note, as it keeps its text: why it came back stands on record.
  const noted = found.status === "draft" && note !== undefined && note !== "" ? { note } : {};
  const [retired] = await queriesOf(tx)
    .update(table)
    .set({ status: "retired", retiredAt: sql`now()` })
    .where(and(eq(table.tenantId, tx.tenantId), eq(table.status, "active")))
    .returning({ version: table.version });
  const [published] = await queriesOf(tx)
    .update(table)
    .set({ status: "active", publishedAt: sql`now()`, publishedBy, retiredAt: null, ...noted })
    .where(and(eq(table.tenantId, tx.tenantId), eq(table.version, version)))
    .returning(versionColumns(table));
  return published && { published, retired: retired?.version };
}

export async function findDocument(
  tx: TenantTransaction,
  kind: DocumentKind,
  version: string,
): Promise<StoredDocument | undefined> {
  const table = tableOf(kind);
  const { tenantId, ...columns } = getTableColumns(table);
  const [found] = await queriesOf(tx)
    .select(columns)
    .from(table)
    .where(and(eq(tenantId, tx.tenantId), eq(table.version, version)));
  return found;
}

export async function findActiveDocument(
  tx: TenantTransaction,
  kind: DocumentKind,
): Promise<StoredDocument | undefined> {
  const table = tableOf(kind);
  const { tenantId, ...columns } = getTableColumns(table);
  const [found] = await queriesOf(tx)
    .select(columns)
    .from(table)
    .where(and(eq(tenantId, tx.tenantId), eq(table.status, "active")));
  return found;
}

/** Newest first, without the documents themselves. */
export async function listDocuments(
  tx: TenantTransaction,
  kind: DocumentKind,
  page: { limit: number; after?: DocumentCursor | undefined },
): Promise<{ documents: DocumentVersion[]; next: DocumentCursor | undefined }> {
  const { limit, after } = page;
  const table = tableOf(kind);
  const found = await queriesOf(tx)
    .select(versionColumns(table))
    .from(table)
    .where(
      and(
        eq(table.tenantId, tx.tenantId),
        after &&
          sql`(${table.createdAt}, ${table.version}) < (${after.createdAt.toISOString()}::timestamptz, ${after.version})`,
      ),
    )
    .orderBy(desc(table.createdAt), desc(table.version))
    .limit(limit + 1);
  const documents = found.slice(0, limit);
  const last = documents.at(-1);
  return {
    documents,
    next: found.length > limit && last ? { createdAt: last.createdAt, version: last.version } : undefined,
  };
}

function versionColumns(table: typeof routingPolicies) {
  const { tenantId: _tenantId, document: _document, ...columns } = getTableColumns(table);
  return columns;
}
