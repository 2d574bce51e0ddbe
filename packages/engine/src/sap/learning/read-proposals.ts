import { SignalboxError } from "@signalbox/contracts";
import { UuidSchema } from "@signalbox/contracts/sap";
import type { Proposal } from "@signalbox/core";
import {
  findActiveDocument,
  findSapProposal,
  listSapProposals,
  type StoredSapProposal,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../../authorise.ts";
import { cursorsOf, type PageRequest, readLimit, refuseCursor } from "../../page.ts";
import type { Asked, System } from "../../system.ts";
import { transact } from "../../transaction.ts";
import { type PolicyAfter, policyAfter } from "./policy-after.ts";

const cursors = cursorsOf("proposals");

export type LearningProposal = Proposal &
  Pick<StoredSapProposal, "proposalId" | "kind" | "policyVersion" | "proposedAt" | "decision">;

/** What accepting it now would make of the policy in force. */
export type ProposalInFull = LearningProposal & { readonly effect: ProposalEffect };
type ProposalEffect =
  | (PolicyAfter & { readonly kind: "changes" })
  /** It is decided, there is no policy to change, or it says already what is proposed. */
  | { readonly kind: "none"; readonly why: string };

export type ProposalPage = {
  readonly proposals: readonly LearningProposal[];
  readonly nextCursor: string | undefined;
};

export const proposalOf = ({ proposal, ...stored }: StoredSapProposal): LearningProposal => {
  const read: Proposal = JSON.parse(proposal);
  const { proposalId, kind, policyVersion, proposedAt, decision } = stored;
  return { ...read, proposalId, kind, policyVersion, proposedAt, decision };
};

/** The newest first. */
export async function listProposals(
  system: System,
  { caller }: Asked,
  { open, ...page }: PageRequest & { open?: boolean | undefined },
): Promise<ProposalPage> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readProposalCursor(page.cursor);
  const found = await transact(system, caller.tenantId, (tx) =>
    listSapProposals(tx, { open, after, limit: limit + 1 }),
  );
  const proposals = found.slice(0, limit).map(proposalOf);
  const last = proposals.at(-1);
  return {
    proposals,
    nextCursor: found.length > limit && last !== undefined ? cursors.write([last.proposalId]) : undefined,
  };
}

function readProposalCursor(cursor: string): string {
  const [proposalId = ""] = cursors.read(cursor, 1);
  if (!UuidSchema.safeParse(proposalId).success) throw refuseCursor();
  return proposalId;
}

export async function getProposal(
  system: System,
  { caller }: Asked,
  proposalId: string,
): Promise<ProposalInFull> {
  authorise(caller, "learning.read", undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const proposal = proposalOf(await requireProposal(tx, proposalId));
    return { ...proposal, effect: await effectOf(tx, proposal) };
  });
}

async function effectOf(tx: TenantTransaction, proposal: LearningProposal): Promise<ProposalEffect> {
  if (proposal.decision !== null) return { kind: "none", why: "It is decided." };
  const active = await findActiveDocument(tx, "routing-policy");
  try {
    return { kind: "changes", ...(await policyAfter(tx, active, proposal.change)) };
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return { kind: "none", why: error.detail };
  }
}

export async function requireProposal(tx: TenantTransaction, proposalId: string): Promise<StoredSapProposal> {
  const found = UuidSchema.safeParse(proposalId).success ? await findSapProposal(tx, proposalId) : undefined;
  if (found !== undefined) return found;
  throw new SignalboxError("NOT_FOUND", `There is no proposal "${proposalId.slice(0, 100)}".`);
}
