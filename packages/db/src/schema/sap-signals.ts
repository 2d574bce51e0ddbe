import { sql } from "drizzle-orm";
import { check, index, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import {
  bytes,
  lookUpByOwner,
  moment,
  printedJson,
  signalbox,
  tenantId,
  tenantsIsolation,
  transactionNumber,
} from "./columns.ts";

/** As whoever reads by its index says it. */
export const RATINGS = sql.raw("kind = 'rating'");

/**
 * What is learnt from (SAP §7), in the order of (transaction, signal_id): below the oldest transaction that still runs
 * nothing can come any more, so that who learns passes none. Never changed.
 */
export const sapSignals = signalbox.table(
  "sap_signals",
  {
    tenantId: tenantId(),
    transaction: transactionNumber()
      .notNull()
      .default(sql`pg_current_xact_id()`),
    signalId: uuid("signal_id")
      .notNull()
      .default(sql`uuidv7()`),
    kind: text().notNull(),
    capability: text().notNull(),
    /** Empty where the task named none. */
    territory: text().notNull(),
    fingerprint: bytes().notNull(),
    /** None where the cache answered several at once. */
    taskId: uuid("task_id"),
    /** Who rated. */
    ratedBy: text("rated_by"),
    signal: printedJson().notNull(),
    recordedAt: moment("recorded_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.transaction, table.signalId] }),
    index("sap_signals_ratings").on(table.tenantId, table.taskId, table.transaction).where(RATINGS),
    check("sap_signals_fingerprint_is_sha256", sql`octet_length(${table.fingerprint}) = 32`),
    check("sap_signals_rating_is_somebodys", sql`(kind = 'rating') = (rated_by is not null)`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
