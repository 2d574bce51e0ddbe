import { SignalboxError } from "@signalbox/contracts";
import {
  type Actor,
  decideOidcMember,
  identityBound,
  normalEmail,
  normalPassword,
  type OidcClaims,
  passwordOrIdentityRefused,
  signInRefused,
  unknownPerson,
} from "@signalbox/core";
import {
  consumeSignInLink,
  findMemberByEmail,
  findMemberByIdentity,
  findMemberSummary,
  findSignInLinkByHash,
  findTenant,
  type FoundSignInLink,
  lockMember,
  type Member,
  type TenantTransaction,
  updateMember,
  voidSignInLinks,
} from "@signalbox/db";
import { record } from "../record.ts";
import { hashOfSecret } from "../secret.ts";
import type { System } from "../system.ts";
import { reach, transact } from "../transaction.ts";
import { isPassword } from "./password-hash.ts";
import { refuseFaults } from "./said-names.ts";
import { type Came, endReplacedElsewhere, type OpenedSession, openSession } from "./sessions.ts";
import { countAttempt, forgiveAttempt } from "./sign-in-attempts.ts";

const person = (memberId: string): Actor => ({ type: "human", id: memberId });

/** Exchanges a link's token for a session's: the link is used up in the transaction that opens the session. */
export async function signInByLink(system: System, token: string, came: Came): Promise<OpenedSession> {
  const link = await reach(system, () => findSignInLinkByHash(system.database, hashOfSecret(token)));
  if (link === undefined) throw linkRefusal("is not known");
  const opened = await transact(system, link.tenantId, async (tx) => {
    const member = await lockMember(tx, link.actorId);
    if (member === undefined || !(await consumeSignInLink(tx, link.linkId))) return undefined;
    return openSession(system, tx, member, { ...came, method: "link" });
  });
  if (opened !== undefined) return letIn(system, opened, came);
  await recordFirstRefusal(system, link, came.requestId);
  throw linkRefusal(reasonOf(link));
}

/**
 * In place of what the browser had, in whatever tenant. The link is spent and the session open by now: refused for
 * what fails here, nobody could come again by that link.
 */
async function letIn(system: System, opened: OpenedSession, came: Came): Promise<OpenedSession> {
  await endReplacedElsewhere(system, opened, came).catch((error: unknown) =>
    came.onFailure(error, "ending the session that a browser had in another tenant"),
  );
  return opened;
}

const refused = new WeakMap<System, Set<string>>();

/** Whoever holds a spent link could fill the record with it: a process records the first refusal of each. */
async function recordFirstRefusal(system: System, link: FoundSignInLink, requestId: string): Promise<void> {
  const known = refused.get(system) ?? new Set<string>();
  refused.set(system, known);
  if (known.has(link.linkId)) return;
  known.add(link.linkId);
  const context = { tenantId: link.tenantId, actor: person(link.actorId), requestId };
  try {
    await transact(system, link.tenantId, (tx) => record(tx, signInRefused(context, reasonOf(link))));
  } catch (error) {
    known.delete(link.linkId);
    throw error;
  }
}

/** A link that was active when it was found, and could not be consumed, was used by somebody in between. */
const reasonOf = ({ status }: FoundSignInLink) => (status === "expired" ? "has expired" : "was used before");

const linkRefusal = (what: string) =>
  new SignalboxError(
    "UNAUTHENTICATED",
    `The sign-in link ${what}. Ask an administrator for a new one; where nobody has an account yet, ` +
      "start Signalbox again: each start prints a fresh one.",
  );

export type PasswordSignIn = { tenantId: string; email: string; password: string };

/** An account that is not there, one without a password and a wrong password are one answer, and take as long. */
export async function signInByPassword(
  system: System,
  { tenantId, email: said, password }: PasswordSignIn,
  came: Came,
): Promise<OpenedSession> {
  const email = normalEmail(said);
  if (email === undefined)
    refuseFaults("Nobody can sign in so.", [
      { field: "email", rule: "email", message: "is no address such as ada@example.org" },
    ]);
  const attempt = { tenantId, email: email ?? "", address: came.address };
  await countAttempt(system, attempt);
  const found = await transact(system, tenantId, (tx) => findMemberByEmail(tx, attempt.email));
  const right = await isPassword(normalPassword(password), found?.passwordHash);
  const opened = await transact(system, tenantId, async (tx) => {
    if (found !== undefined && right) {
      const member = await lockMember(tx, found.memberId);
      // Changed while we hashed: what was right a moment ago is not.
      if (member?.passwordHash === found.passwordHash)
        return openSession(system, tx, member, { ...came, method: "password" });
    }
    const actor = found === undefined ? unknownPerson : person(found.memberId);
    await refuseOnRecord(tx, "password", actor, came.requestId);
    return undefined;
  });
  if (opened === undefined)
    throw new SignalboxError("UNAUTHENTICATED", "The address or the password is wrong.");
  await forgiveAttempt(system, attempt).catch((error: unknown) =>
    came.onFailure(error, "forgiving the attempts before a sign-in"),
  );
  return letIn(system, opened, came);
}

/** SIGN-2: the provider has said who it is; whether they may come is the tenant's to say. */
export async function signInByIdentity(
  system: System,
  { tenantId, claims }: { tenantId: string; claims: OidcClaims },
  came: Came,
): Promise<OpenedSession> {
  const opened = await transact(system, tenantId, async (tx) => {
    const decision = decideOidcMember(claims, {
      byIdentity: await findMemberByIdentity(tx, claims),
      byEmail: await invitedByEmail(tx, claims.email),
    });
    if (decision.outcome === "nobody") {
      await refuseOnRecord(tx, "oidc", unknownPerson, came.requestId);
      return undefined;
    }
    const { member } = decision;
    if (decision.outcome === "bind") await bindIdentity(tx, member, claims, came.requestId);
    return openSession(system, tx, member, { ...came, method: "oidc" });
  });
  if (opened !== undefined) return letIn(system, opened, came);
  throw new SignalboxError(
    "UNAUTHENTICATED",
    "Your provider knows you, and no member here is you: ask an administrator to invite your address.",
  );
}

async function invitedByEmail(tx: TenantTransaction, said: string | undefined) {
  const email = said === undefined ? undefined : normalEmail(said);
  const found = email === undefined ? undefined : await findMemberByEmail(tx, email);
  const member = found && (await lockMember(tx, found.memberId));
  if (member === undefined) return undefined;
  const summary = await findMemberSummary(tx, member.memberId);
  return { member, invited: summary !== undefined && summary.invitedUntil !== null };
}

async function bindIdentity(
  tx: TenantTransaction,
  member: Member,
  { issuer, subject }: OidcClaims,
  requestId: string,
): Promise<void> {
  await updateMember(tx, member.memberId, { oidcIssuer: issuer, oidcSubject: subject });
  await voidSignInLinks(tx, member.memberId);
  const context = { tenantId: tx.tenantId, actor: person(member.memberId), requestId };
  await record(tx, identityBound(context, member, issuer));
}

/** A tenant that is not there has no record to fill. */
async function refuseOnRecord(
  tx: TenantTransaction,
  method: "password" | "oidc",
  actor: Actor,
  requestId: string,
): Promise<void> {
  if ((await findTenant(tx)) === undefined) return;
  await record(tx, passwordOrIdentityRefused({ tenantId: tx.tenantId, actor, requestId }, method));
}
