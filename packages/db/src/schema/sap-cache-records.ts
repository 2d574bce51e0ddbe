import { sql } from "drizzle-orm";
import { check, index, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, printedJson, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** The ConstitutionalCache (SAP §6): written once, never changed; a newer record stands beside an older one. */
export const sapCacheRecords = signalbox.table(
  "sap_cache_records",
  {
    tenantId: tenantId(),
    cacheKey: text("cache_key").notNull(),
    sapVersion: text("sap_version").notNull(),
    storedAt: moment("stored_at")
      .notNull()
      .default(sql`now()`),
    recordId: uuid("record_id")
      .notNull()
      .default(sql`uuidv7()`),
    /** Whose outcome it is. */
    taskId: uuid("task_id").notNull(),
    producer: text().notNull(),
    alignment: text().notNull(),
    fingerprint: bytes().notNull(),
    /** SHA-256 of the record's canonical JSON (RFC 8785). */
    digest: bytes().notNull(),
    record: printedJson().notNull(),
  },
  (table) => [
    primaryKey({
      name: "sap_cache_records_pk",
      columns: [table.tenantId, table.cacheKey, table.sapVersion, table.storedAt, table.recordId],
    }),
    index("sap_cache_records_by_age").on(table.tenantId, table.storedAt, table.recordId),
    check("sap_cache_records_fingerprint_is_sha256", sql`octet_length(${table.fingerprint}) = 32`),
    check("sap_cache_records_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
