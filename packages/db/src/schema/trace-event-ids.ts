import { integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** Where each event of `trace_runs` stands. What one attempt sent hides nothing of another's: an id is an event's within its dispatch. */
export const traceEventIds = signalbox.table(
  "trace_event_ids",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    eventId: uuid("event_id").notNull(),
    turnIndex: integer("turn_index").notNull(),
    sequence: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: "trace_event_ids_pk",
      columns: [table.tenantId, table.pipelineId, table.stageOrder, table.attemptNumber, table.eventId],
    }),
    tenantsIsolation(table.tenantId),
  ],
);
