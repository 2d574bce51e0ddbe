import { sql } from "drizzle-orm";
import { primaryKey, uuid } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantIsolation, transactionNumber } from "./columns.ts";

/** Up to which signal a tenant's aggregates tell. Who learns holds the row, so that each signal counts once. */
export const sapLearners = signalbox.table(
  "sap_learners",
  {
    tenantId: tenantId(),
    transaction: transactionNumber()
      .notNull()
      .default(sql`'0'`),
    signalId: uuid("signal_id")
      .notNull()
      .default(sql`'00000000-0000-0000-0000-000000000000'`),
    learntAt: moment("learnt_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), tenantIsolation(table.tenantId), lookUpByOwner()],
);
