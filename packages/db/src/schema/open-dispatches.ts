import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** Dispatches that an agent has or is about to get; a row is deleted when its dispatch is over. */
export const openDispatches = signalbox.table(
  "open_dispatches",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    stageId: text("stage_id").notNull(),
    taskType: text("task_type").notNull(),
    packId: text("pack_id").notNull(),
    instanceId: text("instance_id").notNull(),
    sentAt: moment("sent_at")
      .notNull()
      .default(sql`now()`),
    /** When its agent took the envelope. */
    handedAt: moment("handed_at"),
    leaseExpiresAt: moment("lease_expires_at"),
    timeoutAt: moment("timeout_at"),
    /** When to look at it next: the first of the lease's end and the timeout. */
    dueAt: moment("due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.stageOrder, table.attemptNumber] }),
    index("open_dispatches_by_instance").on(table.tenantId, table.packId, table.instanceId, table.sentAt),
    index("open_dispatches_by_due_time")
      .on(table.tenantId, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
