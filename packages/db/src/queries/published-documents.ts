import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import type { DocumentKind } from "../repositories/documents.ts";
import { recordset } from "./recordset.ts";

/** By kind; the names are written here and come from nowhere else. */
const tables = {
  "routing-policy": sql.raw("signalbox.routing_policies"),
  "pipeline-templates": sql.raw("signalbox.pipeline_templates"),
} as const;

/** The version that is active, without its text: what is kept in memory by version needs no more. */
export async function activeVersion(
  tx: BatchTransaction,
  tenantId: string,
  kind: DocumentKind,
): Promise<string | undefined> {
  const [found] = await queriesOf(tx).execute<{ version: string }>(
    sql`select version from ${tables[kind]} where tenant_id = ${tenantId} and status = 'active'`,
  );
  return found?.version;
}

/** The same of every tenant of a batch, in one statement; a tenant that has none is not in it. */
export async function activeVersions(
  tx: BatchTransaction,
  kind: DocumentKind,
): Promise<ReadonlyMap<string, string>> {
  const rows = tx.tenantIds.map((tenantId) => ({ tenantId }));
  const found = await queriesOf(tx).execute<{ tenantId: string; version: string }>(sql`
    select given."tenantId", own.version from ${recordset(rows, { tenantId: "text" })}
    join ${tables[kind]} own on own.tenant_id = given."tenantId" and own.status = 'active'`);
  return new Map(found.map(({ tenantId, version }) => [tenantId, version]));
}

/** The text of a version that is or was active, which never changes; `undefined` for a draft. */
export async function loadPublishedText(
  tx: BatchTransaction,
  tenantId: string,
  kind: DocumentKind,
  version: string,
): Promise<string | undefined> {
  const [found] = await queriesOf(tx).execute<{ document: string }>(sql`
    select document from ${tables[kind]}
    where tenant_id = ${tenantId} and version = ${version} and status <> 'draft'`);
  return found?.document;
}
