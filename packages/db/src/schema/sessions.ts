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
    /** At sign-in. What the session may do is asked of the member, whose role may have changed since. */
    role: text().notNull(),
    /** How they came: by a link, a password or the OIDC provider; null in sessions older than the question. */
    method: text(),
    /** What the browser calls itself, by which a person knows one of their sessions from another. */
    userAgent: text("user_agent"),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    expiresAt: moment("expires_at").notNull(),
    lastSeenAt: moment("last_seen_at")
      .notNull()
      .default(sql`now()`),
    /** When nobody uses it until then, it is over; null in sessions older than the rule. */
    idleExpiresAt: moment("idle_expires_at"),
    endedAt: moment("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.sessionId] }),
    // Not by tenant, for the same reason as a key's.
    unique("sessions_hash").on(table.hash),
    index("sessions_by_actor").on(table.tenantId, table.actorId, table.createdAt),
    index("sessions_by_expiry").on(table.tenantId, table.expiresAt),
    check("sessions_hash_is_sha256", sql`octet_length(${table.hash}) = 32`),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
