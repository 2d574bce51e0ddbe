import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import {
  bytes,
  exactMoment,
  lookUpByOwner,
  printedJson,
  signalbox,
  tenantId,
  tenantsIsolation,
  transactionNumber,
} from "./columns.ts";

/**
 * What free text finds: the words of `action` and `rationale`, which a payload says one after the other. Cut out of its text
 * and not read as JSON, for no payload may make its own insert fail; and bounded, for a tsvector over 1 MB would.
 * signalbox.search_audit says the same expression, or its index is not used.
 */
const wordsOf = (payload: AnyPgColumn) => sql`to_tsvector('simple'::regconfig, regexp_replace(left(
  split_part(split_part(split_part(split_part(${payload}, '"action":', 2), ',"snapshot":', 1), ',"changes":', 1), ',"pipelineRevision":', 1),
  4096), '\\\\.|"rationale":', ' ', 'g'))`;

/**
 * DISPATCH_DECISION, DISPATCH_SENT, RESULT_RECEIVED, RESULT_VALIDATED and GATE_PASSED: what every stage that goes well leaves
 * behind, fifteen entries of a short pipeline's seventeen, worded from forms. Their words stand in no index, which would
 * more than double what it costs to write them (docs/adr/0029-audit-search.md).
 */
export const ROUTINE_EVENT_TYPES: readonly number[] = [10, 11, 20, 21, 30];

const isNotRoutine = (eventType: AnyPgColumn) =>
  sql`${eventType} not in (${sql.raw(ROUTINE_EVENT_TYPES.join(", "))})`;

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
    index("audit_entries_by_event_type").on(table.tenantId, table.eventType, table.recordedAt, table.auditId),
    // The orchestrator decides most of what is on record: its entries are the record itself, read by time.
    index("audit_entries_by_actor")
      .on(table.tenantId, table.actorId, table.recordedAt, table.auditId)
      .where(sql`${table.actorId} <> 'orchestrator'`),
    index("audit_entries_by_words")
      .using("gin", table.tenantId, wordsOf(table.payload))
      .where(isNotRoutine(table.eventType)),
    // A common word is met by going back through what has words, and not through all that has any of them.
    index("audit_entries_with_words")
      .on(table.tenantId, table.recordedAt, table.auditId)
      .where(isNotRoutine(table.eventType)),
    check("audit_entries_salt_is_16_bytes", sql`octet_length(${table.salt}) = 16`),
    check("audit_entries_event_type_is_set", sql`${table.eventType} > 0`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
