import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, printedJson, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** The Results of a task, one each time its status changed; the last one counts. Never changed (SAP §11). */
export const sapResults = signalbox.table(
  "sap_results",
  {
    tenantId: tenantId(),
    taskId: uuid("task_id").notNull(),
    /** The pipeline's, of which it tells; 0 where there is none. */
    revision: integer().notNull(),
    status: text().notNull(),
    /** SHA-256 of the Result's canonical JSON (RFC 8785). */
    digest: bytes().notNull(),
    result: printedJson().notNull(),
    recordedAt: moment("recorded_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.taskId, table.revision] }),
    check("sap_results_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
