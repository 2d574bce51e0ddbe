import { sql } from "drizzle-orm";
import { check, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, lookUpByOwner, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/** A program's credential; only its SHA-256 is kept. */
export const keys = signalbox.table(
  "keys",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    keyId: uuid("key_id")
      .notNull()
      .default(sql`uuidv7()`),
    hash: bytes().notNull(),
    /** The first characters, by which a person recognises the key in a list. */
    prefix: text().notNull(),
    label: text().notNull(),
    role: text().notNull(),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    createdBy: text("created_by").notNull(),
    /** The packs that an agent's key may speak for; null where it is bound to none. */
    packIds: text("pack_ids").array(),
    expiresAt: moment("expires_at"),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.keyId] }),
    // Not by tenant: the look-up runs before the tenant is known, and a hash of 128 random bits tells nobody anything.
    unique("keys_hash").on(table.hash),
    check("keys_hash_is_sha256", sql`octet_length(${table.hash}) = 32`),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
