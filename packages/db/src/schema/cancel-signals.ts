import { sql } from "drizzle-orm";
import { primaryKey, text } from "drizzle-orm/pg-core";
import { moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** What an agent must still be told to stop; deleted when it was told for long enough, or reported. */
export const cancelSignals = signalbox.table(
  "cancel_signals",
  {
    tenantId: tenantId(),
    packId: text("pack_id").notNull(),
    instanceId: text("instance_id").notNull(),
    dispatchId: text("dispatch_id").notNull(),
    cancelledAt: moment("cancelled_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.packId, table.instanceId, table.dispatchId] }),
    tenantsIsolation(table.tenantId),
  ],
);
