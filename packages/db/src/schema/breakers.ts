import { bigint, index, primaryKey, text } from "drizzle-orm/pg-core";
import { exactJson, lookUpByOwner, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** Kept per pack and task type (D5); a pair without a row is closed. */
export const breakers = signalbox.table(
  "breakers",
  {
    tenantId: tenantId(),
    packId: text("pack_id").notNull(),
    taskType: text("task_type").notNull(),
    /** The registry's change that brought the row to what it is. */
    change: bigint({ mode: "number" }).notNull(),
    /** Core's BreakerState. */
    state: exactJson().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.packId, table.taskType] }),
    index("breakers_by_change").on(table.tenantId, table.change),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
