import { SignalboxError } from "@signalbox/contracts";
import {
  changePolicyText,
  isMoot,
  nextVersion,
  type PolicyChange,
  readDocument,
  readPublishedDocument,
} from "@signalbox/core";
import { findDocument, type StoredDocument, type TenantTransaction } from "@signalbox/db";
import { knownPacks } from "../../documents/publish.ts";
import { validDocument } from "../../documents/refusals.ts";

export type PolicyAfter = {
  /** The policy in force, which is replaced. */
  readonly replaces: string;
  readonly before: string;
  readonly version: string;
  readonly after: string;
};

/** Versions that follow one upon another and are taken already, as by drafts, are passed over. */
const MOST_TAKEN = 200;

/** SAP-59: the policy with the change in it, as it would be published; or why it cannot be. */
export async function policyAfter(
  tx: TenantTransaction,
  active: StoredDocument | undefined,
  change: PolicyChange,
): Promise<PolicyAfter> {
  if (active === undefined) throw refuse("no routing policy is in force. Publish one first");
  const { version: replaces, document: before } = active;
  const read = readPublishedDocument("routing-policy", before);
  if (read.kind !== "valid")
    throw refuse(`the routing policy ${replaces} cannot be read any more. Publish one that obeys the rules`);
  const policy = read.document;
  if (isMoot(change, policy.sap)) throw refuse(`routing policy ${replaces} needs no such change any more`);
  const version = await freeVersion(tx, replaces);
  const after = changePolicyText(before, version, policy, change);
  const known = await knownPacks(tx, "routing-policy");
  const changed = validDocument("routing-policy", readDocument("routing-policy", after, { known, version }));
  // A text that shares parts by aliases can be edited in one place and change in another.
  if (!isMoot(change, changed.sap))
    throw refuse("the policy's text is written in a way that this change cannot be made in. Edit it by hand");
  return { replaces, before, version, after };
}

async function freeVersion(tx: TenantTransaction, from: string): Promise<string> {
  let version = from;
  for (let step = 0; step < MOST_TAKEN; step += 1) {
    const next = nextVersion(version);
    if (next === undefined) break;
    if ((await findDocument(tx, "routing-policy", next)) === undefined) return next;
    version = next;
  }
  throw refuse(`no version after ${from} is free`);
}

const refuse = (why: string) =>
  new SignalboxError("INVALID_STATE", `The proposal cannot be accepted: ${why}.`);
