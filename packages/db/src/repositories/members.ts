import { and, asc, eq, gt, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { readMoment } from "../schema/columns.ts";
import { members } from "../schema/members.ts";

export type Member = Omit<typeof members.$inferSelect, "tenantId" | "removedAt">;
export type NewMember = Pick<
  typeof members.$inferInsert,
  "memberId" | "email" | "name" | "role" | "createdBy"
>;
export type MemberChange = Partial<
  Pick<Member, "email" | "name" | "role" | "passwordHash" | "oidcIssuer" | "oidcSubject">
>;
/** Where a page ended: names repeat, ids do not. */
export type MemberCursor = Pick<Member, "name" | "memberId">;
export type MemberSummary = Pick<
  Member,
  "memberId" | "email" | "name" | "role" | "createdAt" | "createdBy"
> & {
  hasPassword: boolean;
  hasIdentity: boolean;
  lastSignedInAt: Date | null;
  /** Until when somebody's link for them can be used. */
  invitedUntil: Date | null;
};

/** Writes the member, or gives `undefined` where one with this id or this address is there. */
export async function insertMember(
  tx: TenantTransaction,
  member: NewMember,
): Promise<{ memberId: string } | undefined> {
  const insert = insertRow(members, { tenantId: tx.tenantId, ...member });
  const [inserted] = await queriesOf(tx).execute(sql`${insert} on conflict do nothing returning member_id`);
  return inserted && { memberId: String(inserted["member_id"]) };
}

export const findMember = (tx: TenantTransaction, memberId: string): Promise<Member | undefined> =>
  findOne(tx, eq(members.memberId, memberId));

export const findMemberByEmail = (tx: TenantTransaction, email: string): Promise<Member | undefined> =>
  findOne(tx, eq(members.email, email));

export const findMemberByIdentity = (
  tx: TenantTransaction,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Member | undefined> =>
  findOne(tx, and(eq(members.oidcIssuer, issuer), eq(members.oidcSubject, subject)));

/** The same, and whoever else would change the member waits until this transaction is over. */
export async function lockMember(tx: TenantTransaction, memberId: string): Promise<Member | undefined> {
  const [found] = await queriesOf(tx)
    .select(whole)
    .from(members)
    .where(present(tx, eq(members.memberId, memberId)))
    .for("update");
  return found;
}

/** All of one role, locked, in one order: of two who each take the other's role away, the second sees what the first did. */
export async function lockMembersOfRole(tx: TenantTransaction, role: string): Promise<Member[]> {
  return queriesOf(tx)
    .select(whole)
    .from(members)
    .where(present(tx, eq(members.role, role)))
    .orderBy(asc(members.memberId))
    .for("update");
}

/** By name. */
export async function listMembers(
  tx: TenantTransaction,
  { limit, after }: { limit: number; after?: MemberCursor | undefined },
): Promise<{ members: MemberSummary[]; next: MemberCursor | undefined }> {
  const found = await queriesOf(tx)
    .select(summary)
    .from(members)
    .where(
      present(
        tx,
        after &&
          or(
            gt(members.name, after.name),
            and(eq(members.name, after.name), gt(members.memberId, after.memberId)),
          ),
      ),
    )
    .orderBy(asc(members.name), asc(members.memberId))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    members: shown,
    next: found.length > limit && last ? { name: last.name, memberId: last.memberId } : undefined,
  };
}

/** Also of those who were removed: what they did stays on record. */
export async function findMemberNames(
  tx: TenantTransaction,
  memberIds: readonly string[],
): Promise<Pick<Member, "memberId" | "name">[]> {
  return queriesOf(tx)
    .select({ memberId: members.memberId, name: members.name })
    .from(members)
    .where(and(eq(members.tenantId, tx.tenantId), inArray(members.memberId, [...memberIds])));
}

export async function findMemberSummary(
  tx: TenantTransaction,
  memberId: string,
): Promise<MemberSummary | undefined> {
  const [found] = await queriesOf(tx)
    .select(summary)
    .from(members)
    .where(present(tx, eq(members.memberId, memberId)));
  return found;
}

/** `"taken"` where another member has the address or the identity; nothing is changed then. */
export async function updateMember(
  tx: TenantTransaction,
  memberId: string,
  change: MemberChange,
): Promise<"changed" | "taken"> {
  const { email, oidcIssuer, oidcSubject } = change;
  const rivals = [
    email === undefined || email === null ? undefined : eq(members.email, email),
    oidcIssuer === undefined || oidcIssuer === null || oidcSubject === undefined || oidcSubject === null
      ? undefined
      : and(eq(members.oidcIssuer, oidcIssuer), eq(members.oidcSubject, oidcSubject)),
  ].filter((rival) => rival !== undefined);
  if (rivals.length > 0) {
    const taken = await queriesOf(tx)
      .select({ memberId: members.memberId })
      .from(members)
      .where(present(tx, and(or(...rivals), sql`${members.memberId} <> ${memberId}`)));
    if (taken.length > 0) return "taken";
  }
  await queriesOf(tx)
    .update(members)
    .set(change)
    .where(present(tx, eq(members.memberId, memberId)));
  return "changed";
}

/** The row stays, since its id stands on record; address and identity are forgotten. */
export async function removeMember(tx: TenantTransaction, memberId: string): Promise<void> {
  await queriesOf(tx)
    .update(members)
    .set({ removedAt: sql`now()`, email: null, passwordHash: null, oidcIssuer: null, oidcSubject: null })
    .where(present(tx, eq(members.memberId, memberId)));
}

async function findOne(tx: TenantTransaction, condition: SQL | undefined): Promise<Member | undefined> {
  const [found] = await queriesOf(tx).select(whole).from(members).where(present(tx, condition));
  return found;
}

const present = (tx: TenantTransaction, condition: SQL | undefined): SQL | undefined =>
  and(eq(members.tenantId, tx.tenantId), isNull(members.removedAt), condition);

const whole = {
  memberId: members.memberId,
  email: members.email,
  name: members.name,
  role: members.role,
  passwordHash: members.passwordHash,
  oidcIssuer: members.oidcIssuer,
  oidcSubject: members.oidcSubject,
  createdAt: members.createdAt,
  createdBy: members.createdBy,
};

const maybeMoment = (printed: unknown): Date | null => (printed === null ? null : readMoment(printed));

const summary = {
  memberId: members.memberId,
  email: members.email,
  name: members.name,
  role: members.role,
  createdAt: members.createdAt,
  createdBy: members.createdBy,
  hasPassword: sql<boolean>`${members.passwordHash} is not null`,
  hasIdentity: sql<boolean>`${members.oidcSubject} is not null`,
  lastSignedInAt: sql`(select own.created_at from signalbox.sessions own
    where own.tenant_id = ${members.tenantId} and own.actor_id = ${members.memberId}
      and own.method is distinct from 'token'
    order by own.created_at desc limit 1)`.mapWith(maybeMoment),
  invitedUntil: sql`(select max(own.expires_at) from signalbox.sign_in_links own
    where own.tenant_id = ${members.tenantId} and own.actor_id = ${members.memberId}
      and own.created_by is not null and own.used_at is null and own.expires_at > now())`.mapWith(
    maybeMoment,
  ),
};
