import { sql } from "drizzle-orm";
import { text } from "drizzle-orm/pg-core";
import { moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";

export const tenants = signalbox.table(
  "tenants",
  {
    tenantId: tenantId().primaryKey(),
    name: text().notNull(),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [tenantIsolation(table.tenantId)],
);
