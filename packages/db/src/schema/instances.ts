import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { exactJson, lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/** A running process of a pack: what it last said of itself, and what its results say of it. */
export const instances = signalbox.table(
  "instances",
  {
    tenantId: tenantId(),
    packId: text("pack_id").notNull(),
    instanceId: text("instance_id").notNull(),
    /** The registry's change that brought the row to what it is. */
    change: bigint({ mode: "number" }).notNull(),
    /** The last AgentHeartbeat. */
    heartbeat: exactJson().notNull(),
    packVersion: text("pack_version"),
    /** HealthStatus's number, as it says itself. */
    health: integer().notNull(),
    /** Since when it has not said that it is HEALTHY; null while it does. */
    unwellSince: moment("unwell_since"),
    firstSeenAt: moment("first_seen_at")
      .notNull()
      .default(sql`now()`),
    heardAt: moment("heard_at")
      .notNull()
      .default(sql`now()`),
    leaseExpiresAt: moment("lease_expires_at").notNull(),
    /** Open dispatches when the heartbeat was heard: what it reports beyond them is the work of others. */
    dispatchesWhenHeard: integer("dispatches_when_heard"),
    draining: boolean().notNull().default(false),
    /** Since when it is asked to drain, and why; null while it is not. */
    drainingSince: moment("draining_since"),
    drainingReason: text("draining_reason").notNull().default(""),
    /** Invalid results in a row (D7). */
    consecutiveInvalid: integer("consecutive_invalid").notNull().default(0),
    lastError: text("last_error").notNull().default(""),
    quarantinedAt: moment("quarantined_at"),
    /** Its own results quarantined it; else a person did, who alone lifts it. */
    quarantinedByResults: boolean("quarantined_by_results").notNull().default(false),
    /** Since when it works on probation after a quarantine; null while it does not. */
    probationSince: moment("probation_since"),
    /** Readers were told that its lease ended. */
    toldLost: boolean("told_lost").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.packId, table.instanceId] }),
    index("instances_by_change").on(table.tenantId, table.change),
    // No heartbeat writes it, and few are in it.
    index("instances_quarantined_by_results")
      .on(table.tenantId, table.quarantinedAt)
      .where(sql`${table.quarantinedAt} is not null and ${table.quarantinedByResults}`),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
