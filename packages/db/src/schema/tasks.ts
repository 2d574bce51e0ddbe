import { sql } from "drizzle-orm";
import { primaryKey, text } from "drizzle-orm/pg-core";
import { printedJson, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** What somebody asked for and the plan made of it, both redacted before they came here; never changed. */
export const tasks = signalbox.table(
  "tasks",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    task: printedJson().notNull(),
    plan: printedJson().notNull(),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.pipelineId] }), tenantsIsolation(table.tenantId)],
);
