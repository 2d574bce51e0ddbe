import { sql } from "drizzle-orm";
import { check, text } from "drizzle-orm/pg-core";
import { moment, signalbox } from "./columns.ts";

/**
 * One row a migration, written by the migration itself: a binary that lacks the file can still read whether it may go on.
 */
export const schemaHistory = signalbox.table(
  "schema_history",
  {
    tag: text().primaryKey(),
    mark: text().notNull(),
    appliedAt: moment("applied_at")
      .notNull()
      .default(sql`now()`),
    appVersion: text("app_version")
      .notNull()
      .default(sql`COALESCE(NULLIF(current_setting('signalbox.app_version', true), ''), 'unknown')`),
  },
  (table) => [check("schema_history_mark_is_known", sql`${table.mark} in ('compatible', 'breaking')`)],
);
