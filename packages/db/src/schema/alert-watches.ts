import { sql } from "drizzle-orm";
import { primaryKey } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** When somebody last looked what holds of a tenant. Who writes down what began or ended to hold keeps the row meanwhile. */
export const alertWatches = signalbox.table(
  "alert_watches",
  {
    tenantId: tenantId(),
    lookedAt: moment("looked_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), tenantsIsolation(table.tenantId), lookUpByOwner()],
);
