import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";

/** What envelopes name and do not hold. Never changed, and removed only when its time is over. */
export const attachments = signalbox.table(
  "attachments",
  {
    tenantId: tenantId(),
    attachmentId: uuid("attachment_id")
      .notNull()
      .default(sql`uuidv7()`),
    name: text().notNull(),
    mediaType: text("media_type").notNull(),
    size: integer().notNull(),
    /** SHA-256 of the content. */
    digest: bytes().notNull(),
    /** What links to it are signed with: they end with it, and no key has to be kept anywhere else. */
    linkSecret: bytes("link_secret").notNull(),
    keptBy: text("kept_by").notNull(),
    keptAt: moment("kept_at")
      .notNull()
      .default(sql`now()`),
    expiresAt: moment("expires_at")
      .notNull()
      .default(sql`now() + interval '30 days'`),
    content: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.attachmentId] }),
    index("attachments_by_expiry").on(table.tenantId, table.expiresAt, table.size),
    check("attachments_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    check("attachments_link_secret_is_long", sql`octet_length(${table.linkSecret}) = 32`),
    check("attachments_size_is_the_contents", sql`octet_length(${table.content}) = ${table.size}`),
    tenantIsolation(table.tenantId),
  ],
);
