import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/**
 * How long a tenant's record is kept (D20). No row, and null months: for ever. A trigger says from when it holds and what held
 * before, whatever the app says: a shorter time leaves everybody a week to notice.
 */
export const auditRetention = signalbox.table(
  "audit_retention",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    keepMonths: integer("keep_months"),
    earlierMonths: integer("earlier_months"),
    takesEffectAt: moment("takes_effect_at")
      .notNull()
      .default(sql`now()`),
    changedBy: text("changed_by").notNull(),
    changedAt: moment("changed_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId] }),
    check("audit_retention_keeps_a_year", sql`${table.keepMonths} between 12 and 1200`),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
