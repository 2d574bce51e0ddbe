import { sql } from "drizzle-orm";
import { integer, primaryKey, text } from "drizzle-orm/pg-core";
import { moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";

/** What people say to each other about an escalation. It is never changed: the audit record has it too. */
export const escalationComments = signalbox.table(
  "escalation_comments",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    /** The escalation's number in its pipeline. */
    number: integer().notNull(),
    /** Counts the escalation's comments. */
    ordinal: integer().notNull(),
    authorId: text("author_id").notNull(),
    /** Masked before it came here. */
    text: text().notNull(),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.number, table.ordinal] }),
    tenantIsolation(table.tenantId),
  ],
);
