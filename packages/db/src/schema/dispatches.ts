import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { printedJson, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** What was sent, to whom and under which policy; never changed. Its id is made of its key, so it has no other. */
export const dispatches = signalbox.table(
  "dispatches",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    stageId: text("stage_id").notNull(),
    taskType: text("task_type").notNull(),
    packId: text("pack_id").notNull(),
    packVersion: text("pack_version").notNull(),
    instanceId: text("instance_id").notNull(),
    policyVersion: text("policy_version").notNull(),
    envelope: printedJson().notNull(),
    spans: printedJson().notNull(),
    sentAt: moment("sent_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.stageOrder, table.attemptNumber] }),
    index("dispatches_by_pack").on(table.tenantId, table.packId, table.sentAt),
    tenantsIsolation(table.tenantId),
  ],
);
