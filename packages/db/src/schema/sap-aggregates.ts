import { sql } from "drizzle-orm";
import { primaryKey, text } from "drizzle-orm/pg-core";
import { moment, printedJson, signalbox, tenantId, tenantIsolation } from "./columns.ts";

/** Signals by {capability, territory, fingerprint} (SAP §7), and what stands above them; made anew from the signals at any time. */
export const sapAggregates = signalbox.table(
  "sap_aggregates",
  {
    tenantId: tenantId(),
    /** fingerprint, territory, capability or all; what a scope does not tell apart is empty. */
    scope: text().notNull(),
    capability: text().notNull(),
    territory: text().notNull(),
    fingerprint: text().notNull(),
    aggregate: printedJson().notNull(),
    changedAt: moment("changed_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({
      columns: [table.tenantId, table.scope, table.capability, table.territory, table.fingerprint],
    }),
    tenantIsolation(table.tenantId),
  ],
);
