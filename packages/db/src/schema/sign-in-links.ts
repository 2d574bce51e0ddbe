import { sql } from "drizzle-orm";
import { check, index, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, lookUpByOwner, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/** A link that opens one session once; only its token's SHA-256 is kept. */
export const signInLinks = signalbox.table(
  "sign_in_links",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    linkId: uuid("link_id")
      .notNull()
      .default(sql`uuidv7()`),
    hash: bytes().notNull(),
    actorId: text("actor_id").notNull(),
    role: text().notNull(),
    /** The member who made it; null for those that a start printed. */
    createdBy: text("created_by"),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.linkId] }),
    // Not by tenant, for the same reason as a key's.
    unique("sign_in_links_hash").on(table.hash),
    index("sign_in_links_by_actor").on(table.tenantId, table.actorId, table.expiresAt),
    index("sign_in_links_by_expiry").on(table.tenantId, table.expiresAt),
    check("sign_in_links_hash_is_sha256", sql`octet_length(${table.hash}) = 32`),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
