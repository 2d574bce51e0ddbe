import { SignalboxError, type Violation } from "@signalbox/contracts";
import {
  decideMemberChange,
  findMemberFaults,
  findPasswordFaults,
  memberChanged,
  memberEvent,
  normalPassword,
  passwordChosen,
  passwordNeeds,
  type PasswordStanding,
} from "@signalbox/core";
import {
  endSessionsOf,
  findMember,
  type FoundSession,
  lockMember,
  type Member,
  type TenantTransaction,
  updateMember,
  voidSignInLinks,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { record } from "../record.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { addressTaken } from "./members.ts";
import { hashPassword, isPassword } from "./password-hash.ts";
import { refuseFaults, secretFaults } from "./said-names.ts";
import { type Came, findSession, type OpenedSession, openSession } from "./sessions.ts";
import { countAttempt, forgiveAttempt } from "./sign-in-attempts.ts";

export type Account = {
  memberId: string;
  email: string | null;
  name: string;
  role: string;
  hasPassword: boolean;
  hasIdentity: boolean;
  /** What the person shows before they choose a password. */
  passwordNeeds: ReturnType<typeof passwordNeeds>;
};
export type AccountWish = {
  name?: string | undefined;
  /** Only while there is none: an address that is there is an administrator's to change. */
  email?: string | undefined;
  password?: string | undefined;
  currentPassword?: string | undefined;
};
type OwnSession = { token: string; came: Came };

export async function getAccount(system: System, { caller }: Asked, token: string): Promise<Account> {
  authorise(caller, "account.change", undefined);
  const session = await sessionOf(system, token);
  return transact(system, caller.tenantId, async (tx) => accountOf(await own(tx, caller.actor.id), session));
}

/** Sets up one's own account. A new password ends every session but a new one here, which the answer opens. */
export async function changeAccount(
  system: System,
  asked: Asked,
  wish: AccountWish,
  { token, came }: OwnSession,
): Promise<{ account: Account; opened: OpenedSession | undefined }> {
  const { caller, requestId } = asked;
  authorise(caller, "account.change", undefined);
  const { name, email, password } = wish;
  const session = await sessionOf(system, token);
  const before = await transact(system, caller.tenantId, (tx) => own(tx, caller.actor.id));
  // All at once: who mends one fault is not to be told of the next one then.
  refuseFaults("The account cannot be changed so.", [
    ...findMemberFaults({ name, email }),
    ...secretFaults({ name }),
    ...passwordFaults(before, wish),
  ]);
  if (password !== undefined) await refusePassword(system, before, wish, { session, came });
  const passwordHash = password === undefined ? undefined : await hashPassword(normalPassword(password));
  return transact(system, caller.tenantId, async (tx) => {
    const member = await own(tx, caller.actor.id, "lock");
    if (email !== undefined && member.email !== null) throw addressIsSet();
    const context = { tenantId: caller.tenantId, actor: caller.actor, requestId };
    const decision = decideMemberChange(member, { name, email }, 0);
    if (decision.outcome === "changed") {
      if ((await updateMember(tx, member.memberId, decision.changes)) === "taken") throw addressTaken();
      await record(tx, memberChanged(context, member, decision.changes));
      // With a password the session that is opened tells of it; told here, it would cut the page that waits for its cookie.
      if (passwordHash === undefined) await tell(tx, memberEvent("changed", member));
    }
    if (passwordHash === undefined)
      return { account: accountOf(await own(tx, member.memberId), session), opened: undefined };
    // Chosen elsewhere while we hashed: the current one that was shown is no longer that.
    if (member.passwordHash !== before.passwordHash) throw wrongPassword();
    await updateMember(tx, member.memberId, { passwordHash });
    const ended = await endSessionsOf(tx, member.memberId, { but: session.sessionId });
    await voidSignInLinks(tx, member.memberId);
    await record(tx, passwordChosen(context, member, ended));
    const opened = await openSession(system, tx, member, { ...came, method: "password", replaces: token });
    const now: PasswordStanding = {
      hasPassword: true,
      hasIdentity: false,
      method: "password",
      openSeconds: 0,
    };
    return {
      account: { ...accountOf(await own(tx, member.memberId), session), passwordNeeds: passwordNeeds(now) },
      opened,
    };
  });
}

/** PASS-1. */
function passwordFaults(member: Member, { name, email, password }: AccountWish): Violation[] {
  if (password === undefined) return [];
  const named = { name: name ?? member.name, email: member.email ?? email ?? null };
  const message = "give the address that you will sign in with: a password is of use only with one";
  return [
    ...(named.email === null ? [{ field: "email", rule: "required", message }] : []),
    ...findPasswordFaults("password", password, named),
  ];
}

/** PASS-2. Guessing at the current one from a stolen session is counted as guessing at the door is. */
async function refusePassword(
  system: System,
  member: Member,
  { currentPassword }: AccountWish,
  { session, came }: { session: FoundSession; came: Came },
): Promise<void> {
  const needs = passwordNeeds(standingOf(member, session));
  if (needs === "nothing") return;
  if (needs === "sign-in-again")
    throw new SignalboxError(
      "FORBIDDEN",
      "Sign in again first: you did so too long ago to choose a password.",
    );
  const attempt = {
    tenantId: session.tenantId,
    email: member.email ?? member.memberId,
    address: came.address,
  };
  await countAttempt(system, attempt);
  if (!(await isPassword(normalPassword(currentPassword ?? ""), member.passwordHash))) throw wrongPassword();
  await forgiveAttempt(system, attempt);
}

async function sessionOf(system: System, token: string): Promise<FoundSession> {
  const session = await findSession(system, token);
  if (session?.status === "active") return session;
  throw new SignalboxError("UNAUTHENTICATED", "The session has ended. Sign in again.");
}

async function own(tx: TenantTransaction, memberId: string, lock?: "lock"): Promise<Member> {
  const member = await (lock === undefined ? findMember(tx, memberId) : lockMember(tx, memberId));
  if (member !== undefined) return member;
  throw new SignalboxError("UNAUTHENTICATED", "You are a member here no longer.");
}

const standingOf = (member: Member, { method, openSeconds }: FoundSession): PasswordStanding => ({
  hasPassword: member.passwordHash !== null,
  hasIdentity: member.oidcSubject !== null,
  method,
  openSeconds,
});

const accountOf = (member: Member, session: FoundSession): Account => ({
  memberId: member.memberId,
  email: member.email,
  name: member.name,
  role: member.role,
  hasPassword: member.passwordHash !== null,
  hasIdentity: member.oidcSubject !== null,
  passwordNeeds: passwordNeeds(standingOf(member, session)),
});

const wrongPassword = () =>
  new SignalboxError("FORBIDDEN", "The current password is wrong.", {
    violations: [{ field: "currentPassword", rule: "password", message: "is not your password" }],
  });

const addressIsSet = () =>
  new SignalboxError("INVALID_STATE", "Your address is set: an administrator can change it.", {
    violations: [{ field: "email", rule: "set", message: "is changed by an administrator" }],
  });
