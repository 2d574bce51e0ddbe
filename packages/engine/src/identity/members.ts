import { SignalboxError } from "@signalbox/contracts";
import {
  type AuditContext,
  decideMemberChange,
  findMemberFaults,
  isMemberRole,
  mayLeave,
  memberChanged,
  memberEvent,
  memberInvited,
  memberLinkCreated,
  memberRemoved,
  memberSignedOut,
  type MemberWish,
  normalEmail,
} from "@signalbox/core";
import {
  endSessionsOf,
  findMemberNames,
  findMemberSummary,
  insertMember,
  insertSignInLink,
  listMembers as listMemberRows,
  lockMember,
  lockMembersOfRole,
  type Member,
  type MemberCursor,
  type MemberSummary,
  removeMember as removeMemberRow,
  type TenantTransaction,
  updateMember,
  voidSignInLinks,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { cursorsOf, type PageRequest, readLimit, refuseCursor } from "../page.ts";
import { record } from "../record.ts";
import { hashOfSecret, newSecret } from "../secret.ts";
import { holdsNul } from "../storable.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { isStorableId, refuseFaults, secretFaults } from "./said-names.ts";

const cursors = cursorsOf("members");

export type MemberPage = { members: MemberSummary[]; nextCursor: string | undefined };
/** The token is in this answer and nowhere else; the administrator hands it on. */
export type MemberLink = { token: string; expiresAt: Date };

const memberLinkMinutes = 7 * 24 * 60;

const contextOf = ({ caller, requestId }: Asked): AuditContext => ({
  tenantId: caller.tenantId,
  actor: caller.actor,
  requestId,
});

/** By name. */
export async function listMembers(system: System, { caller }: Asked, page: PageRequest): Promise<MemberPage> {
  authorise(caller, "member.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readMemberCursor(page.cursor);
  const { members, next } = await transact(system, caller.tenantId, (tx) =>
    listMemberRows(tx, { limit, after }),
  );
  return { members, nextCursor: next && cursors.write([next.name, next.memberId]) };
}

/** What those are called who have these ids, also where they are members no more; whoever is none is left out. */
export async function nameMembers(
  system: System,
  { caller }: Asked,
  memberIds: readonly string[],
): Promise<{ memberId: string; name: string }[]> {
  authorise(caller, "member.read", undefined);
  const storable = memberIds.filter(isStorableId);
  return transact(system, caller.tenantId, (tx) => findMemberNames(tx, storable));
}

function readMemberCursor(cursor: string): MemberCursor {
  const [name = "", memberId = ""] = cursors.read(cursor, 2);
  if (holdsNul(name + memberId)) throw refuseCursor();
  return { name, memberId };
}

/** Makes somebody a member who may now come: by the link, or by OIDC with this address. */
export async function inviteMember(
  system: System,
  asked: Asked,
  wish: Required<{ [K in keyof MemberWish]: string }>,
): Promise<{ member: MemberSummary; link: MemberLink }> {
  authorise(asked.caller, "member.invite", undefined);
  refuseFaults("Nobody can be invited so.", [
    ...findMemberFaults(wish),
    ...secretFaults({ name: wish.name }),
  ]);
  const { name, role } = wish;
  const email = normalEmail(wish.email);
  if (email === undefined || !isMemberRole(role)) throw new Error("a faulty wish came past its check");
  return transact(system, asked.caller.tenantId, async (tx) => {
    const inserted = await insertMember(tx, { email, name, role, createdBy: asked.caller.actor.id });
    if (inserted === undefined) throw addressTaken();
    const { memberId } = inserted;
    await record(tx, memberInvited(contextOf(asked), { memberId, name, role }));
    const link = await makeLink(system, tx, asked, { memberId, name, role });
    return { member: await summaryOf(tx, memberId), link };
  });
}

/** A new link for who lost theirs, or their password. It takes the place of earlier ones. */
export async function createMemberLink(system: System, asked: Asked, memberId: string): Promise<MemberLink> {
  authorise(asked.caller, "member.change", undefined);
  return onMember(system, asked, memberId, (tx, member) => makeLink(system, tx, asked, member));
}

async function makeLink(
  system: System,
  tx: TenantTransaction,
  asked: Asked,
  member: Pick<Member, "memberId" | "name" | "role">,
): Promise<MemberLink> {
  const token = newSecret(system);
  await voidSignInLinks(tx, member.memberId);
  const { expiresAt } = await insertSignInLink(tx, {
    hash: hashOfSecret(token),
    actorId: member.memberId,
    role: member.role,
    createdBy: asked.caller.actor.id,
    lastsMinutes: memberLinkMinutes,
  });
  await record(tx, memberLinkCreated(contextOf(asked), member));
  await tell(tx, memberEvent("invited", member));
  return { token, expiresAt };
}

/** A role changes for the sessions that are open too, from their next request on. */
export async function changeMember(
  system: System,
  asked: Asked,
  memberId: string,
  wish: MemberWish,
): Promise<MemberSummary> {
  authorise(asked.caller, "member.change", undefined);
  refuseFaults("The member cannot be changed so.", [
    ...findMemberFaults(wish),
    ...secretFaults({ name: wish.name }),
  ]);
  return onMember(system, asked, memberId, async (tx, member, otherAdmins) => {
    const decision = decideMemberChange(member, wish, otherAdmins);
    if (decision.outcome === "last-administrator") throw lastAdministrator();
    if (decision.outcome === "changed") {
      if ((await updateMember(tx, memberId, decision.changes)) === "taken") throw addressTaken();
      await record(tx, memberChanged(contextOf(asked), member, decision.changes));
      await tell(tx, memberEvent("changed", member));
    }
    return summaryOf(tx, memberId);
  });
}

/** Ends what they have open and can still use. Their id stays on record, and is nobody else's ever. */
export async function removeMember(system: System, asked: Asked, memberId: string): Promise<void> {
  authorise(asked.caller, "member.remove", undefined);
  await onMember(system, asked, memberId, async (tx, member, otherAdmins) => {
    if (!mayLeave(member, otherAdmins)) throw lastAdministrator();
    const ended = await endSessionsOf(tx, memberId);
    await voidSignInLinks(tx, memberId);
    await removeMemberRow(tx, memberId);
    await record(tx, memberRemoved(contextOf(asked), member, ended));
    await tell(tx, memberEvent("removed", member));
  });
}

/** Signs a member out wherever they are signed in. */
export async function endMemberSessions(
  system: System,
  asked: Asked,
  memberId: string,
): Promise<{ ended: number }> {
  authorise(asked.caller, "member.change", undefined);
  return onMember(system, asked, memberId, async (tx, member) => {
    const ended = await endSessionsOf(tx, memberId);
    if (ended === 0) return { ended };
    await record(tx, memberSignedOut(contextOf(asked), member, ended));
    await tell(tx, memberEvent("signed-out", member));
    return { ended };
  });
}

/** Administrators are locked first, and all of them: two who demote each other would else leave none (MEM-2). */
async function onMember<T>(
  system: System,
  { caller }: Asked,
  memberId: string,
  work: (tx: TenantTransaction, member: Member, otherAdmins: number) => Promise<T>,
): Promise<T> {
  return transact(system, caller.tenantId, async (tx) => {
    const admins = await lockMembersOfRole(tx, "admin");
    const member = isStorableId(memberId) ? await lockMember(tx, memberId) : undefined;
    if (member === undefined) throw new SignalboxError("NOT_FOUND", "There is no such member.");
    return work(tx, member, admins.filter((admin) => admin.memberId !== memberId).length);
  });
}

async function summaryOf(tx: TenantTransaction, memberId: string): Promise<MemberSummary> {
  const summary = await findMemberSummary(tx, memberId);
  if (summary === undefined) throw new Error(`member ${memberId} was written and cannot be found`);
  return summary;
}

export const addressTaken = () =>
  new SignalboxError("INVALID_STATE", "A member of this tenant has the address already.", {
    violations: [{ field: "email", rule: "unique", message: "is another member's" }],
  });

const lastAdministrator = () =>
  new SignalboxError(
    "INVALID_STATE",
    "A tenant keeps an administrator: give somebody else the role admin first.",
  );
