import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import {
  bytes,
  exactMoment,
  printedJson,
  signalbox,
  tenantId,
  tenantsIsolation,
  transactionNumber,
} from "./columns.ts";

/**
 * The record of decisions: partitioned by month, append-only. Identity, time, transaction and salt are the database's
 * defaults, and the app may not name those columns when it inserts (D19). The payload is the AuditEntry without
 * them, byte for byte as it was written.
 */
export const auditEntries = signalbox.table(
  "audit_entries",
  {
    // No foreign key: its check would lock the tenant's one row for every entry that is written. The policy binds it.
    tenantId: tenantId(),
    recordedAt: exactMoment("recorded_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    auditId: uuid("audit_id")
      .notNull()
      .default(sql`uuidv7()`),
    transaction: transactionNumber()
      .notNull()
      .default(sql`pg_current_xact_id()`),
    /** Without it, whoever holds a proof could guess at its neighbours' short payloads by their hashes. */
    salt: bytes()
      .notNull()
      .default(sql`uuid_send(gen_random_uuid())`),
    /** AuditEventType's number. */
    eventType: integer("event_type").notNull(),
    /** ActorType's number. */
    actorType: integer("actor_type").notNull(),
    actorId: text("actor_id").notNull(),
    traceId: text("trace_id"),
    pipelineId: text("pipeline_id"),
    stageId: text("stage_id"),
    dispatchId: text("dispatch_id"),
    attemptNumber: integer("attempt_number"),
    packId: text("pack_id"),
    payload: printedJson().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.recordedAt, table.auditId] }),
    index("audit_entries_by_pack")
      .on(table.tenantId, table.packId, table.recordedAt, table.auditId)
      .where(sql`${table.packId} is not null`),
    index("audit_entries_by_pipeline")
      .on(table.tenantId, table.pipelineId, table.recordedAt, table.auditId)
      .where(sql`${table.pipelineId} is not null`),
    // A pipeline's entries are found by its trace through pipelines_by_trace; this one is for those of no pipeline.
    index("audit_entries_by_trace")
      .on(table.tenantId, table.traceId, table.recordedAt, table.auditId)
      .where(sql`${table.traceId} is not null and ${table.pipelineId} is null`),
    check("audit_entries_salt_is_16_bytes", sql`octet_length(${table.salt}) = 16`),
    check("audit_entries_event_type_is_set", sql`${table.eventType} > 0`),
    tenantsIsolation(table.tenantId),
  ],
);
