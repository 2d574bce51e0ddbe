import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";
import type { DocumentStatus } from "./document-status.ts";
import { tenants } from "./tenants.ts";

/** Stages and edges, a document a version. Pipelines keep the version that they started with. */
export const pipelineTemplates = signalbox.table(
  "pipeline_templates",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    version: text().notNull(),
    status: text().$type<DocumentStatus>().notNull().default("draft"),
    /** As its author wrote it. */
    document: text().notNull(),
    note: text().notNull(),
    /** Counts the draft's changes, so that of two authors the later learns of the other. */
    edit: integer().notNull().default(1),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    createdBy: text("created_by").notNull(),
    publishedAt: moment("published_at"),
    publishedBy: text("published_by"),
    retiredAt: moment("retired_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.version] }),
    uniqueIndex("pipeline_templates_active")
      .on(table.tenantId)
      .where(sql`${table.status} = 'active'`),
    index("pipeline_templates_by_creation").on(table.tenantId, table.createdAt, table.version),
    check("pipeline_templates_status_is_known", sql`${table.status} in ('draft', 'active', 'retired')`),
    tenantsIsolation(table.tenantId),
  ],
);
