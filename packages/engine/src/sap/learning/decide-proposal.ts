import { ActorType, SignalboxError, storableText } from "@signalbox/contracts";
import {
  decidePublication,
  documentDrafted,
  documentEvent,
  documentPublished,
  learningEvent,
  redactRationale,
} from "@signalbox/core";
import {
  decideSapProposal,
  findActiveDocument,
  insertDraft,
  publishDocument as activate,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../../authorise.ts";
import { auditContextOf, inTurn, kept } from "../../documents/in-turn.ts";
import { redactorInForce } from "../../documents/redactor-in-force.ts";
import { refuseDocument } from "../../documents/refusals.ts";
import { lifeOf } from "../../documents/view.ts";
import type { Engine } from "../../engine.ts";
import { plainForm } from "../../once/kept-form.ts";
import { record } from "../../record.ts";
import { holdsNul, refuseHalfPairs } from "../../storable.ts";
import { tell } from "../../stream/tell.ts";
import type { Asked } from "../../system.ts";
import { proposalDecided } from "./entries.ts";
import { policyAfter } from "./policy-after.ts";
import { type LearningProposal, proposalOf, requireProposal } from "./read-proposals.ts";

const KIND = "routing-policy";
const LONGEST_REASON = 2_000;

export type ProposalDecision = {
  readonly word: "accepted" | "refused";
  readonly reason: string;
  /** The policy that was in force when the proposal was looked at; undefined replaces whatever is. */
  readonly replaces?: string | undefined;
};

export type DecidedProposal = {
  readonly proposalId: string;
  readonly decision: ProposalDecision["word"];
  /** The version of the policy in which it takes effect. */
  readonly policyVersion: string | null;
};

/**
 * SAP-58, SAP-59: accepts or refuses what was learnt, once. What is accepted is published as a version of its own in the
 * same transaction: what was asked, answered and cached before stays as it is.
 */
export async function decideProposal(
  engine: Engine,
  asked: Asked,
  proposalId: string,
  { word, reason, replaces }: ProposalDecision,
): Promise<DecidedProposal> {
  const { actor } = asked.caller;
  authorise(asked.caller, "learning.decide", undefined);
  const sent = readReason(reason);
  const held = async (tx: TenantTransaction): Promise<DecidedProposal> => {
    const proposal = proposalOf(await requireProposal(tx, proposalId));
    if (proposal.decision !== null) throw alreadyDecided(proposal.decision);
    const said = redactRationale(await redactorInForce(engine, tx), sent);
    const policyVersion = word === "accepted" ? await publish(tx, asked, proposal, said, replaces) : null;
    const decided = { word, reason: said, policyVersion };
    const own = { ...decided, proposalId: proposal.proposalId, byType: ActorType.HUMAN, by: actor.id };
    if (!(await decideSapProposal(tx, own)))
      throw new SignalboxError(
        "INVALID_STATE",
        "The proposal was decided this very moment. Look at it anew.",
      );
    await record(tx, proposalDecided(auditContextOf(asked), proposal.proposalId, proposal, decided));
    await tell(tx, learningEvent("decided", { proposalId: proposal.proposalId, decision: word }));
    return { proposalId: proposal.proposalId, decision: word, policyVersion };
  };
  return inTurn(engine, asked, held, plainForm<DecidedProposal>());
}

async function publish(
  tx: TenantTransaction,
  asked: Asked,
  { change, why }: LearningProposal,
  reason: string,
  replaces: string | undefined,
): Promise<string> {
  const active = await findActiveDocument(tx, KIND);
  const { version, after } = await policyAfter(tx, active, change);
  if (replaces !== undefined && replaces !== active?.version)
    throw refuseDocument(KIND, version, {
      reason: "active-differs",
      seen: replaces,
      active: active?.version,
    });
  const context = auditContextOf(asked);
  const { id } = asked.caller.actor;
  const note = storableText(`${why} ${reason}`.slice(0, LONGEST_REASON));
  const draft = kept(await insertDraft(tx, KIND, { version, document: after, note, createdBy: id }));
  const publication = decidePublication(lifeOf(draft), active && lifeOf(active), { edit: draft.edit });
  if (publication.kind !== "published")
    throw new Error(`a draft that is new cannot be published: ${version}`);
  kept(await activate(tx, KIND, { version, publishedBy: id, edit: draft.edit }));
  const what = { kind: KIND, version, edit: draft.edit, note, publication } as const;
  await record(
    tx,
    documentDrafted(context, { kind: KIND, version, note }),
    ...documentPublished(context, what),
  );
  await tell(
    tx,
    ...(publication.retires === undefined
      ? []
      : [documentEvent("retired", { kind: KIND, version: publication.retires }, asked.caller.actor)]),
    documentEvent("published", { kind: KIND, version, edit: draft.edit }, asked.caller.actor),
  );
  return version;
}

function alreadyDecided({ word, by, policyVersion }: NonNullable<LearningProposal["decision"]>) {
  const how =
    word === "superseded"
      ? "a newer proposal took its place"
      : `${by} ${word} it${policyVersion === null ? "" : `, in routing policy ${policyVersion}`}`;
  return new SignalboxError("INVALID_STATE", `The proposal is decided: ${how}.`);
}

function readReason(reason: string): string {
  const text = reason.trim();
  const fault =
    text === ""
      ? { rule: "required", message: "say why: it stands on the record" }
      : text.length > LONGEST_REASON
        ? { rule: "max_len", message: `at most ${LONGEST_REASON} characters` }
        : holdsNul(text)
          ? { rule: "no_nul", message: "must not contain the character U+0000" }
          : undefined;
  if (fault !== undefined)
    throw new SignalboxError("VALIDATION_FAILED", "The decision cannot be kept.", {
      violations: [{ field: "reason", ...fault }],
    });
  refuseHalfPairs(JSON.stringify(text));
  return text;
}
