import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { recordset } from "../queries/recordset.ts";
import { readMoment } from "../schema/columns.ts";

export interface NewSapProposal {
  kind: string;
  subject: string;
  /** In hexadecimal. */
  digest: string;
  proposal: string;
  policyVersion: string | null;
}

export type SapDecisionWord = "accepted" | "refused" | "superseded";

export interface StoredSapProposal extends NewSapProposal {
  proposalId: string;
  proposedAt: Date;
  decision: {
    word: SapDecisionWord;
    byType: number;
    by: string;
    reason: string;
    policyVersion: string | null;
    at: Date;
  } | null;
}

type Row = Record<string, unknown> & {
  proposalId: string;
  kind: string;
  subject: string;
  digest: string;
  proposal: string;
  policyVersion: string | null;
  proposedAt: string;
  word: SapDecisionWord | null;
  byType: number;
  by: string;
  reason: string;
  takenUp: string | null;
  decidedAt: string;
};

const COLUMNS = sql`own.proposal_id as "proposalId", own.kind, own.subject, encode(own.digest, 'hex') as digest,
  own.proposal, own.policy_version as "policyVersion", own.proposed_at as "proposedAt",
  decided.decision as word, decided.decided_by_type as "byType", decided.decided_by as "by", decided.reason,
  decided.policy_version as "takenUp", decided.decided_at as "decidedAt"`;
const WITH_DECISION = sql`left join signalbox.sap_decisions decided
  on decided.tenant_id = own.tenant_id and decided.proposal_id = own.proposal_id`;

function proposalOf({
  word,
  byType,
  by,
  reason,
  takenUp,
  decidedAt,
  proposedAt,
  ...row
}: Row): StoredSapProposal {
  return {
    proposalId: row.proposalId,
    kind: row.kind,
    subject: row.subject,
    digest: row.digest,
    proposal: row.proposal,
    policyVersion: row.policyVersion,
    proposedAt: readMoment(proposedAt),
    decision:
      word === null ? null : { word, byType, by, reason, policyVersion: takenUp, at: readMoment(decidedAt) },
  };
}

export async function insertSapProposal(tx: TenantTransaction, proposal: NewSapProposal): Promise<string> {
  const { kind, subject, digest, proposal: text, policyVersion } = proposal;
  const [made] = await queriesOf(tx).execute<{ proposalId: string }>(sql`
    insert into signalbox.sap_proposals (tenant_id, kind, subject, digest, proposal, policy_version)
    values (${tx.tenantId}, ${kind}, ${subject}, decode(${digest}, 'hex'), ${text}, ${policyVersion})
    returning proposal_id as "proposalId"`);
  if (made === undefined) throw new Error("a proposal was kept and not given back");
  return made.proposalId;
}

/** The newest of each subject. */
export async function newestSapProposals(
  tx: TenantTransaction,
  subjects: readonly string[],
): Promise<StoredSapProposal[]> {
  if (subjects.length === 0) {
    return [];
  }
  const rows = subjects.map((subject) => ({ subject }));
  const found = await queriesOf(tx).execute<Row>(sql`
    select newest.* from ${recordset(rows, { subject: "text" })}
    cross join lateral (
      select ${COLUMNS} from signalbox.sap_proposals own ${WITH_DECISION}
      where own.tenant_id = ${tx.tenantId} and own.subject = given.subject
      order by own.proposal_id desc limit 1
    ) newest`);
  return Array.from(found, proposalOf);
}

export async function findSapProposal(
  tx: TenantTransaction,
  proposalId: string,
): Promise<StoredSapProposal | undefined> {
  const [found] = await queriesOf(tx).execute<Row>(sql`
    select ${COLUMNS} from signalbox.sap_proposals own ${WITH_DECISION}
    where own.tenant_id = ${tx.tenantId} and own.proposal_id = ${proposalId}::uuid`);
  return found && proposalOf(found);
}

/** The newest first. */
export async function listSapProposals(
  tx: TenantTransaction,
  page: { open?: boolean | undefined; after?: string | undefined; limit: number },
): Promise<StoredSapProposal[]> {
  const { open, after, limit } = page;
  const found = await queriesOf(tx).execute<Row>(sql`
    select ${COLUMNS} from signalbox.sap_proposals own ${WITH_DECISION}
    where own.tenant_id = ${tx.tenantId}
      ${open === undefined ? sql`` : open ? sql`and decided.decision is null` : sql`and decided.decision is not null`}
      ${after === undefined ? sql`` : sql`and own.proposal_id < ${after}::uuid`}
    order by own.proposal_id desc limit ${limit}`);
  return Array.from(found, proposalOf);
}

/** Decides a proposal; gives whether it did. Of two who decide at once the second waits here, and is told that it did not. */
export async function decideSapProposal(
  tx: TenantTransaction,
  decision: {
    proposalId: string;
    word: SapDecisionWord;
    byType: number;
    by: string;
    reason: string;
    policyVersion: string | null;
  },
): Promise<boolean> {
  const { proposalId, word, byType, by, reason, policyVersion } = decision;
  const made = await queriesOf(tx).execute(sql`
    insert into signalbox.sap_decisions
      (tenant_id, proposal_id, decision, decided_by_type, decided_by, reason, policy_version)
    values (${tx.tenantId}, ${proposalId}::uuid, ${word}, ${byType}, ${by}, ${reason}, ${policyVersion})
    on conflict do nothing returning 1`);
  return made.length === 1;
}
