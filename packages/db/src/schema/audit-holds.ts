import { sql } from "drizzle-orm";
import { check, index, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/** Why nothing of a tenant's record may go, however old it is (D20). A hold is released once, and its row stays. */
export const auditHolds = signalbox.table(
  "audit_holds",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    holdId: uuid("hold_id")
      .notNull()
      .default(sql`uuidv7()`),
    reason: text().notNull(),
    placedBy: text("placed_by").notNull(),
    placedAt: moment("placed_at")
      .notNull()
      .default(sql`now()`),
    releasedBy: text("released_by"),
    releaseReason: text("release_reason"),
    releasedAt: moment("released_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.holdId] }),
    index("audit_holds_open")
      .on(table.tenantId)
      .where(sql`${table.releasedBy} is null`),
    check(
      "audit_holds_release_is_whole",
      sql`(${table.releasedBy} is null) = (${table.releasedAt} is null) and (${table.releasedBy} is null) = (${table.releaseReason} is null)`,
    ),
    tenantIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
