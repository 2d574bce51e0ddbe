import { sql } from "drizzle-orm";
import { check, doublePrecision, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, moment, printedJson, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** What an attempt reported of its turns, masked; never changed, so that a turn told twice is answered as the first time. */
export const turns = signalbox.table(
  "turns",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    turnIndex: integer("turn_index").notNull(),
    stageId: text("stage_id").notNull(),
    confidence: doublePrecision().notNull(),
    /** Keyed, so that it tells two turns apart and nothing of either. */
    fingerprint: bytes().notNull(),
    turn: printedJson().notNull(),
    marks: printedJson().notNull(),
    receivedAt: moment("received_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({
      name: "turns_pk",
      columns: [table.tenantId, table.pipelineId, table.stageOrder, table.attemptNumber, table.turnIndex],
    }),
    check("turns_fingerprint_is_sha256", sql`octet_length(${table.fingerprint}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
