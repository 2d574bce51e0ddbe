import { sql } from "drizzle-orm";
import { check, index, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, lookUpByOwner, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/** A person's stay in the browser; only the cookie's SHA-256 is kept. */
export const sessions = signalbox.table(
  "sessions",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    sessionId: uuid("session_id")
      .notNull()
      .default(sql`uuidv7()`),
    hash: bytes().notNull(),
    actorId: text("actor_id").notNull(),
    role: text().notNull(),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    expiresAt: moment("expires_at").notNull(),
    endedAt: moment("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId] }),
    // Not by tenant, for the same reason as a key's.
    unique("sessions_hash").on(table.hash),
    index("sessions_by_expiry").on(table.tenantId, table.expiresAt),
    check("sessions_hash_is_sha256", sql`octet_length(${table.hash}) = 32`),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
