import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, printedJson, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/**
 * Real-time trace events of attempts (SAOP §2), masked, in the order of their turns; never changed. What readers are told
 * of them as they come goes through `events`.
 */
export const traceEvents = signalbox.table(
  "trace_events",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    turnIndex: integer("turn_index").notNull(),
    sequence: integer().notNull(),
    eventId: uuid("event_id").notNull(),
    stageId: text("stage_id").notNull(),
    type: text().notNull(),
    /** Keyed, so that it tells two events apart and nothing of either. */
    fingerprint: bytes().notNull(),
    event: printedJson().notNull(),
    receivedAt: moment("received_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({
      name: "trace_events_pk",
      columns: [
        table.tenantId,
        table.pipelineId,
        table.stageOrder,
        table.attemptNumber,
        table.turnIndex,
        table.sequence,
      ],
    }),
    // What one attempt sent hides nothing of another's: an id is an event's within its dispatch.
    unique("trace_events_id").on(
      table.tenantId,
      table.pipelineId,
      table.stageOrder,
      table.attemptNumber,
      table.eventId,
    ),
    check("trace_events_fingerprint_is_sha256", sql`octet_length(${table.fingerprint}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
