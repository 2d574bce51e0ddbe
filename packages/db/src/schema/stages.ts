import { sql } from "drizzle-orm";
import { index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { printedJson, lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

export const stages = signalbox.table(
  "stages",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    stageId: text("stage_id").notNull(),
    /** What it asks for now: an approved handoff may have changed what the template says (D24). */
    taskType: text("task_type").notNull(),
    /** StageStatus's number. */
    status: integer().notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    /** Core's StageState. */
    state: printedJson().notNull(),
    /** READY, not held, its pipeline running, nobody has it: when to look at it next. */
    claimableAt: moment("claimable_at"),
    /** Its place among those of its task type that nobody can take yet. */
    waitingSince: moment("waiting_since"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.stageOrder] }),
    index("stages_by_claim_time")
      .on(table.tenantId, table.claimableAt)
      .where(sql`${table.claimableAt} is not null`),
    index("stages_by_wait")
      .on(table.tenantId, table.taskType, table.waitingSince)
      .where(sql`${table.waitingSince} is not null`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
