import { sql } from "drizzle-orm";
import { primaryKey, text } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** Alerts that are on record as fired, and not yet as resolved. */
export const firedAlerts = signalbox.table(
  "fired_alerts",
  {
    tenantId: tenantId(),
    alert: text().notNull(),
    /** Of what it holds: of two of one kind each has its own. */
    subject: text().notNull(),
    packId: text("pack_id"),
    /** What was said of it when it fired. */
    detail: text().notNull(),
    firedAt: moment("fired_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.alert, table.subject] }),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
