import { sql } from "drizzle-orm";
import { check, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/** A person in a tenant. The id is the actor of all they do, so it is never given to anybody else: rows are not removed. */
export const members = signalbox.table(
  "members",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    memberId: text("member_id")
      .notNull()
      .default(sql`uuidv7()::text`),
    /** As core's normalEmail has it; null for the first administrator until they set up their account. */
    email: text(),
    name: text().notNull(),
    role: text().notNull(),
    /** A PHC string; null while they have no password. */
    passwordHash: text("password_hash"),
    /** Who they are to the OIDC provider; both or neither. */
    oidcIssuer: text("oidc_issuer"),
    oidcSubject: text("oidc_subject"),
    createdAt: moment("created_at")
      .notNull()
      .default(sql`now()`),
    createdBy: text("created_by").notNull(),
    removedAt: moment("removed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    uniqueIndex("members_email")
      .on(table.tenantId, table.email)
      .where(sql`${table.removedAt} is null`),
    uniqueIndex("members_oidc")
      .on(table.tenantId, table.oidcIssuer, table.oidcSubject)
      .where(sql`${table.removedAt} is null`),
    check("members_oidc_whole", sql`(${table.oidcIssuer} is null) = (${table.oidcSubject} is null)`),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
