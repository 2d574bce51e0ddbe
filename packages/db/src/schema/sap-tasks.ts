import { sql } from "drizzle-orm";
import { boolean, check, index, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, printedJson, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** Tasks of SAP V2.0 as they were accepted, masked; never changed (SAP §11). */
export const sapTasks = signalbox.table(
  "sap_tasks",
  {
    tenantId: tenantId(),
    taskId: uuid("task_id").notNull(),
    parentTaskId: uuid("parent_task_id"),
    capability: text().notNull(),
    territory: text(),
    /** None where the cache answered. */
    pipelineId: text("pipeline_id"),
    /** SHA-256 in hexadecimal of what SAP §6 lists; as it was when the task came. */
    cacheKey: text("cache_key").notNull(),
    fingerprint: bytes().notNull(),
    /** SHA-256 of the task's canonical JSON (RFC 8785), masked. */
    digest: bytes().notNull(),
    /** Something of it was masked: its outcome is nobody else's. */
    masked: boolean().notNull(),
    /** Keyed fingerprint of what was sent, of one that was masked: what is masked alike may have been sent otherwise. */
    sentFingerprint: bytes("sent_fingerprint"),
    /** ActorType's number. */
    submittedByType: integer("submitted_by_type").notNull(),
    submittedBy: text("submitted_by").notNull(),
    door: text().notNull(),
    task: printedJson().notNull(),
    receivedAt: moment("received_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.taskId] }),
    index("sap_tasks_by_pipeline")
      .on(table.tenantId, table.pipelineId)
      .where(sql`${table.pipelineId} is not null`),
    index("sap_tasks_by_arrival").on(table.tenantId, table.receivedAt, table.taskId),
    check("sap_tasks_fingerprint_is_sha256", sql`octet_length(${table.fingerprint}) = 32`),
    check("sap_tasks_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    check("sap_tasks_sent_fingerprint_is_sha256", sql`octet_length(${table.sentFingerprint}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
