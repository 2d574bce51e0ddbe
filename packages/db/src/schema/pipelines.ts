import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { printedJson, lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/**
 * One row a pipeline; whoever changes anything of it holds this row's lock. No foreign keys, here or in the tables that
 * belong to it: the lock says what a key would check, and a check a row is what a batch cannot afford.
 */
export const pipelines = signalbox.table(
  "pipelines",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    /** Counts the facts on record that made this state. */
    revision: integer().notNull(),
    /** PipelineStatus's number. */
    status: integer().notNull(),
    name: text().notNull(),
    templateId: text("template_id").notNull(),
    templateVersion: text("template_version").notNull(),
    traceId: text("trace_id").notNull(),
    sourceTaskId: text("source_task_id"),
    /** As core's `keptTitle` cuts it; null for those that were begun before it was kept. */
    taskTitle: text("task_title"),
    /** ActorType's number. */
    submittedByType: integer("submitted_by_type").notNull(),
    submittedBy: text("submitted_by").notNull(),
    /** Core's PipelineState without plan, stages and escalations, which have tables of their own. */
    state: printedJson().notNull(),
    /** Its deadline while it runs. */
    dueAt: moment("due_at"),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    updatedAt: moment("updated_at")
      .notNull()
      .default(sql`now()`),
    endedAt: moment("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId] }),
    index("pipelines_by_creation").on(table.tenantId, table.createdAt, table.pipelineId),
    index("pipelines_by_status").on(table.tenantId, table.status, table.createdAt, table.pipelineId),
    index("pipelines_by_end")
      .on(table.tenantId, table.endedAt, table.pipelineId)
      .where(sql`${table.endedAt} is not null`),
    index("pipelines_by_trace").on(table.tenantId, table.traceId),
    index("pipelines_by_due_time")
      .on(table.tenantId, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
