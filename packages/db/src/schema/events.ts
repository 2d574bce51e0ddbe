import { sql } from "drizzle-orm";
import { integer, primaryKey, text } from "drizzle-orm/pg-core";
import { printedJson, moment, signalbox, tenantId, tenantsIsolation, transactionNumber } from "./columns.ts";

/**
 * What readers are told, in the order of (transaction, ordinal). A number drawn at the insert would let a reader pass an
 * event whose transaction commits late; below the oldest transaction that still runs, nothing can come any more.
 */
export const events = signalbox.table(
  "events",
  {
    tenantId: tenantId(),
    transaction: transactionNumber()
      .notNull()
      .default(sql`pg_current_xact_id()`),
    /** Its place in its transaction. */
    ordinal: integer().notNull(),
    pipelineId: text("pipeline_id"),
    recordedAt: moment("recorded_at")
      .notNull()
      .default(sql`now()`),
    kind: text().notNull(),
    payload: printedJson().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.transaction, table.ordinal] }),
    tenantsIsolation(table.tenantId),
  ],
);
