import { integer, primaryKey } from "drizzle-orm/pg-core";
import { signalbox, tenantId, tenantsIsolation, transactionNumber } from "./columns.ts";

/** The last event of each tenant that is not kept any more: who stands before it would miss some. */
export const feedHorizons = signalbox.table(
  "feed_horizons",
  {
    tenantId: tenantId(),
    transaction: transactionNumber().notNull(),
    ordinal: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), tenantsIsolation(table.tenantId)],
);
