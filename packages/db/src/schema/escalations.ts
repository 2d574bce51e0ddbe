import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { exactJson, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

export const escalations = signalbox.table(
  "escalations",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    /** Counts the pipeline's escalations; its id is made of both. */
    number: integer().notNull(),
    stageId: text("stage_id"),
    cause: text().notNull(),
    /** Core's Escalation. */
    escalation: exactJson().notNull(),
    openedAt: moment("opened_at")
      .notNull()
      .default(sql`now()`),
    closedAt: moment("closed_at"),
    /** Core's EscalationEnd: who chose what, or what made it needless. */
    closing: exactJson(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.number] }),
    index("escalations_by_opening").on(table.tenantId, table.openedAt, table.pipelineId, table.number),
    index("escalations_open")
      .on(table.tenantId, table.openedAt, table.pipelineId, table.number)
      .where(sql`${table.closedAt} is null`),
    tenantsIsolation(table.tenantId),
  ],
);
