import { sql } from "drizzle-orm";
import { check, index, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, moment, printedJson, signalbox, tenantId, tenantIsolation } from "./columns.ts";

/** What signals suggest to change in the policy; never changed itself. How it was decided stands beside it. */
export const sapProposals = signalbox.table(
  "sap_proposals",
  {
    tenantId: tenantId(),
    proposalId: uuid("proposal_id")
      .notNull()
      .default(sql`uuidv7()`),
    kind: text().notNull(),
    /** What it is about: of two the newer takes the place of the older one. */
    subject: text().notNull(),
    /** SHA-256 of the change's canonical JSON (RFC 8785). */
    digest: bytes().notNull(),
    proposal: printedJson().notNull(),
    /** The policy that was in force; none where none was published. */
    policyVersion: text("policy_version"),
    proposedAt: moment("proposed_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.proposalId] }),
    index("sap_proposals_by_subject").on(table.tenantId, table.subject, table.proposalId),
    check("sap_proposals_digest_is_sha256", sql`octet_length(${table.digest}) = 32`),
    tenantIsolation(table.tenantId),
  ],
);
