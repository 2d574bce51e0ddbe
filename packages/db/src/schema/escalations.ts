import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { exactJson, lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

export const escalations = signalbox.table(
  "escalations",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    /** Counts the pipeline's escalations; its id is made of both. */
    number: integer().notNull(),
    stageId: text("stage_id"),
    cause: text().notNull(),
    /** Of its stage when it was opened; empty where it concerns the pipeline as a whole. */
    taskType: text("task_type").notNull().default(""),
    /** Whose attempt it is about; null where nobody had one. */
    packId: text("pack_id"),
    /** Why dispatch refused its stage; null where it asks about something else. */
    refusal: text(),
    /** Core's Escalation. */
    escalation: exactJson().notNull(),
    openedAt: moment("opened_at")
      .notNull()
      .default(sql`now()`),
    closedAt: moment("closed_at"),
    /** Core's EscalationEnd: who chose what, or what made it needless. */
    closing: exactJson(),
    /** The member who attends to it (ESC-11). */
    assigneeId: text("assignee_id"),
    assignedAt: moment("assigned_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.number] }),
    index("escalations_by_opening").on(table.tenantId, table.openedAt, table.pipelineId, table.number),
    index("escalations_open")
      .on(table.tenantId, table.openedAt, table.pipelineId, table.number)
      .where(sql`${table.closedAt} is null`),
    // Like cases before: what was closed of the same cause and task type, the latest first.
    index("escalations_by_likeness")
      .on(table.tenantId, table.cause, table.taskType, table.closedAt)
      .where(sql`${table.closedAt} is not null`),
    // How long answers took lately: a question that was answered today may have been asked long ago.
    index("escalations_by_closing")
      .on(table.tenantId, table.closedAt)
      .where(sql`${table.closedAt} is not null`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
