import { sql } from "drizzle-orm";
import { check, index, primaryKey, text } from "drizzle-orm/pg-core";
import {
  bytes,
  lookUpByOwner,
  moment,
  printedJson,
  signalbox,
  tenantId,
  tenantsIsolation,
} from "./columns.ts";

/** D22: what a request under an Idempotency-Key was answered, written by the transaction that carried it out. */
export const keptAnswers = signalbox.table(
  "kept_answers",
  {
    tenantId: tenantId(),
    actorId: text("actor_id").notNull(),
    /** A hash of the name; the key as it was sent in rows of an older version, which are gone after a day. */
    requestKey: text("request_key").notNull(),
    digest: bytes().notNull(),
    answer: printedJson().notNull(),
    /** The pipeline that the request began. */
    pipelineId: text("pipeline_id"),
    expiresAt: moment("expires_at")
      .notNull()
      .default(sql`now() + interval '24 hours'`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.actorId, table.requestKey] }),
    index("kept_answers_by_expiry").on(table.tenantId, table.expiresAt),
    check("kept_answers_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
