import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";
import type { DocumentStatus } from "./document-status.ts";
import { tenants } from "./tenants.ts";

/** Routes, admission and defaults. A version is changed while it is a draft; a tenant has one that is active. */
export const routingPolicies = signalbox.table(
  "routing_policies",
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
    uniqueIndex("routing_policies_active")
      .on(table.tenantId)
      .where(sql`${table.status} = 'active'`),
    index("routing_policies_by_creation").on(table.tenantId, table.createdAt, table.version),
    check("routing_policies_status_is_known", sql`${table.status} in ('draft', 'active', 'retired')`),
    tenantsIsolation(table.tenantId),
  ],
);
