import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import {
  lookUpByOwner,
  printedJson,
  moment,
  signalbox,
  tenantId,
  tenantsIsolation,
  transactionNumber,
} from "./columns.ts";

/** Families that are many, as core/stream names them. */
export const SELDOM = sql.raw(
  "kind not like 'pipeline.%' and kind not like 'turn.%' and kind not like 'trace.%'",
);

/** As whoever reads by its index says it. */
export const ALERTS = sql.raw("kind = 'alert.raised'");

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
    /**
     * Of what an attempt reported, and of nothing else: its runs by their numbers, from the first to the last, whose events are the
     * payload's last member (`toldPayload`).
     */
    stageOrder: integer("stage_order"),
    attemptNumber: integer("attempt_number"),
    firstRun: integer("first_run"),
    lastRun: integer("last_run"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.transaction, table.ordinal] }),
    // What is told of everything but pipelines at work is seldom: it is found without reading past them, and costs them
    // nothing. Whoever reads by it says the same condition.
    index("events_seldom").on(table.tenantId, table.transaction, table.ordinal).where(SELDOM),
    // Alerts are read as a list, the latest first, and are fewer still.
    index("events_alerts").on(table.tenantId, table.transaction, table.ordinal).where(ALERTS),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
