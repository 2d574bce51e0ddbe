import { sql } from "drizzle-orm";
import { check, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment, signalbox, tenantId, tenantIsolation } from "./columns.ts";

/** What became of a proposal, once and for good: the key lets no second decision in. */
export const sapDecisions = signalbox.table(
  "sap_decisions",
  {
    tenantId: tenantId(),
    proposalId: uuid("proposal_id").notNull(),
    decision: text().notNull(),
    /** ActorType's number. */
    decidedByType: integer("decided_by_type").notNull(),
    decidedBy: text("decided_by").notNull(),
    reason: text().notNull(),
    /** The version of the policy in which it took effect. */
    policyVersion: text("policy_version"),
    decidedAt: moment("decided_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.proposalId] }),
    check("sap_decisions_decision", sql`decision in ('accepted', 'refused', 'superseded')`),
    check("sap_decisions_accepted_takes_effect", sql`(decision = 'accepted') = (policy_version is not null)`),
    tenantIsolation(table.tenantId),
  ],
);
