import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/**
 * Real-time trace events of attempts (SAOP §2), masked, in the order of their turns; never changed. A row holds a run of
 * them: events of one turn that stand one behind the other and came together (ADR 0069). What readers are told of them as
 * they come goes through `events`.
 */
export const traceRuns = signalbox.table(
  "trace_runs",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    turnIndex: integer("turn_index").notNull(),
    firstSequence: integer("first_sequence").notNull(),
    lastSequence: integer("last_sequence").notNull(),
    /** Which of its attempt's runs it is, from 1, in the order in which they came. */
    runNumber: integer("run_number").notNull(),
    /** Of each event, in their order. What one attempt sent hides nothing of another's: an id is an event's within its dispatch. */
    eventIds: uuid("event_ids").array().notNull(),
    stageId: text("stage_id").notNull(),
    /** Each once. */
    types: text().array().notNull(),
    /**
     * Keyed, so that each tells its event from others and nothing of either. Null for an event that is kept as it was sent,
     * which itself tells as much; and in place of the list where all are.
     */
    fingerprints: bytes().array(),
    /** Their JSON, with commas between. */
    events: text().notNull(),
    receivedAt: moment("received_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({
      name: "trace_runs_pk",
      columns: [
        table.tenantId,
        table.pipelineId,
        table.stageOrder,
        table.attemptNumber,
        table.turnIndex,
        table.firstSequence,
      ],
    }),
    // Who writes a run knows the ids of those before it, or its number is taken: so no id is kept twice (ADR 0074).
    unique("trace_runs_by_number").on(
      table.tenantId,
      table.pipelineId,
      table.stageOrder,
      table.attemptNumber,
      table.runNumber,
    ),
    check("trace_runs_has_events", sql`${table.firstSequence} <= ${table.lastSequence}`),
    tenantsIsolation(table.tenantId),
  ],
);
