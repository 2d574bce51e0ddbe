import { sql } from "drizzle-orm";
import { boolean, integer, text } from "drizzle-orm/pg-core";
import { moment, signalbox } from "./columns.ts";

/** Engines at work. Its lease is what keeps a frozen one from committing after the others took over. */
export const nodes = signalbox.table("nodes", {
  nodeId: text("node_id").primaryKey(),
  /** Rises when a process comes under a name that is there, so that the earlier one is told apart. */
  epoch: integer().notNull(),
  startedAt: moment("started_at")
    .notNull()
    .default(sql`now()`),
  leaseExpiresAt: moment("lease_expires_at").notNull(),
  /** Whether it looks for what is due, or serves only. */
  loops: boolean().notNull().default(true),
});
