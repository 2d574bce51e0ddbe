import { sql } from "drizzle-orm";
import { integer, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/**
 * Where the events of a turn stand between two reports: which have come, and what of their text cannot be judged yet. Any
 * node goes on from it. Text may be part of a secret, so it is sealed under a key that the database does not hold; without any,
 * numbers lie open.
 */
export const turnStreams = signalbox.table(
  "turn_streams",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    turnIndex: integer("turn_index").notNull(),
    /** Null until the first report has been taken. */
    sealed: bytes(),
    updatedAt: moment("updated_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({
      name: "turn_streams_pk",
      columns: [table.tenantId, table.pipelineId, table.stageOrder, table.attemptNumber, table.turnIndex],
    }),
    tenantsIsolation(table.tenantId),
  ],
);
