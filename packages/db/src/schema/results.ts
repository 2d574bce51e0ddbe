import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, printedJson, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

export type ResultStanding = "counted" | "invalid" | "stale";

/** The first result that came of each dispatch; never changed, so that a second report is answered as the first (D6). */
export const results = signalbox.table(
  "results",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    stageOrder: integer("stage_order").notNull(),
    attemptNumber: integer("attempt_number").notNull(),
    standing: text().$type<ResultStanding>().notNull(),
    /** SHA-256 of what makes two results the same. */
    digest: bytes().notNull(),
    result: printedJson().notNull(),
    spans: printedJson().notNull(),
    receivedAt: moment("received_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.pipelineId, table.stageOrder, table.attemptNumber] }),
    check("results_standing_is_known", sql`${table.standing} in ('counted', 'invalid', 'stale')`),
    check("results_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
