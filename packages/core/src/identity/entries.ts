import { type AuditEntry, AuditEventType } from "@signalbox/contracts";
import { type AuditContext, auditEntry } from "../audit-entries.ts";
import type { Actor, Role } from "../caller.ts";
import type { MemberChanges } from "./members.ts";
import type { SignInMethod } from "./sign-in.ts";

type Named = { memberId: string; name: string };
/** MEM-4: the id is what other entries call the member; the name is what people do. */
const named = ({ memberId, name }: Named): string => `${JSON.stringify(name)} (${memberId})`;

export const memberInvited = (context: AuditContext, member: Named & { role: Role }): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.MEMBER_ADDED,
    action: `invited ${named(member)} with role ${member.role}`,
    rationale: "An administrator asked for it; the address was nobody's yet.",
  });

export const firstMemberAdded = (context: AuditContext, member: Named): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.MEMBER_ADDED,
    action: `added ${named(member)} with role admin`,
    rationale: "The tenant had no member, and whoever starts the process is its administrator.",
  });

export const memberChanged = (
  context: AuditContext,
  member: Named & { role: string },
  changes: MemberChanges,
): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.MEMBER_CHANGED,
    action: `changed ${named(member)}: ${describe(member, changes)}`,
    rationale:
      context.actor.id === member.memberId ? "The member asked for it." : "An administrator asked for it.",
  });

function describe(member: { name: string; role: string }, { email, name, role }: MemberChanges): string {
  return [
    role === undefined ? [] : [`role ${member.role} to ${role}`],
    name === undefined ? [] : [`name to ${JSON.stringify(name)}`],
    email === undefined ? [] : ["address"],
  ]
    .flat()
    .join(", ");
}

export const passwordChosen = (context: AuditContext, member: Named, ended: number): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.MEMBER_CHANGED,
    action: `chose a password for ${named(member)}`,
    rationale: `The member asked for it, and showed who they are. ${sessionsEnded(ended)}`,
  });

export const identityBound = (context: AuditContext, member: Named, issuer: string): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.MEMBER_CHANGED,
    action: `bound ${named(member)} to an identity of ${issuer}`,
    rationale: "An invitation for the address was open, and the provider says that it verified the address.",
  });

export const memberRemoved = (context: AuditContext, member: Named, ended: number): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.MEMBER_REMOVED,
    action: `removed ${named(member)}`,
    rationale: `An administrator asked for it. ${sessionsEnded(ended)}`,
  });

export const memberSignedOut = (context: AuditContext, member: Named, ended: number): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.SIGNED_OUT,
    action: `signed ${named(member)} out everywhere`,
    rationale: `An administrator asked for it. ${sessionsEnded(ended)}`,
  });

const sessionsEnded = (ended: number): string =>
  ended === 1 ? "One session ended with it." : `${ended} sessions ended with it.`;

/** A link that an administrator made: for somebody who is new, or who has lost their password. */
export const memberLinkCreated = (context: AuditContext, member: Named): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.SIGN_IN_LINK_CREATED,
    action: `created a sign-in link for ${named(member)}`,
    rationale:
      "An administrator asked for it, to hand it on. It is good once, and takes the place of earlier ones.",
  });

export const keyIssued = (
  context: AuditContext,
  key: {
    keyId: string;
    label: string;
    role: Role;
    packIds: readonly string[] | undefined;
    expiresAt: Date | undefined;
  },
): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.KEY_CREATED,
    action: `created the key ${JSON.stringify(key.label)} (${key.keyId}) with role ${key.role}`,
    rationale: `An administrator asked for it. It ${boundsOf(key)}.`,
  });

function boundsOf({
  packIds,
  expiresAt,
}: Pick<Parameters<typeof keyIssued>[1], "packIds" | "expiresAt">): string {
  const packs = packIds?.map((packId) => JSON.stringify(packId)).join(", ");
  const speaks = packs === undefined ? "is bound to no pack" : `speaks for ${packs}`;
  return `${speaks} and ${expiresAt === undefined ? "has no end" : `ends at ${expiresAt.toISOString()}`}`;
}

export const keyWithdrawn = (context: AuditContext, key: { keyId: string; label: string }): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.KEY_REVOKED,
    action: `revoked the key ${JSON.stringify(key.label)} (${key.keyId})`,
    rationale: "An administrator asked for it.",
  });

const ways: Record<SignInMethod, string> = {
  link: "The one-time link was unused and had not expired.",
  password: "The password was theirs.",
  oidc: "The OIDC provider says who they are, and the identity is this member's.",
};

export function signedIn(context: AuditContext, role: Role, method: SignInMethod): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.SIGNED_IN,
    action: `signed in with role ${role} by ${method}`,
    rationale: ways[method],
  });
}

/** SIGN-3: what was typed as an address is not repeated, for a password may have been typed there. */
export const unknownPerson: Actor = { type: "human", id: "unknown" };

const refusals: Record<"password" | "oidc", string> = {
  password: "The password was wrong, or no member of this tenant has the address.",
  oidc: "No member has the identity, and no open invitation names an address that the provider verified.",
};

export function passwordOrIdentityRefused(context: AuditContext, method: "password" | "oidc"): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.SIGN_IN_REFUSED,
    action: `tried to sign in by ${method}`,
    rationale: refusals[method],
  });
}

export const sessionReplaced = (context: AuditContext): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.SIGNED_OUT,
    action: "signed out",
    rationale: "Somebody signed in anew in the same browser.",
  });

/** TOKEN-3 */
export const tokenIssued = (
  context: AuditContext,
  token: { label: string; sessionId: string; expiresAt: Date },
): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.KEY_CREATED,
    action: `made the token ${JSON.stringify(token.label)} (${token.sessionId}) for a program that speaks for them over MCP`,
    rationale: `The person asked for it, signed in. It ends at ${token.expiresAt.toISOString()}.`,
  });

export const tokenWithdrawn = (context: AuditContext, sessionId: string): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.KEY_REVOKED,
    action: `revoked their token ${sessionId}`,
    rationale: "The person asked for it.",
  });

export const sessionClosed = (context: AuditContext, sessionId: string): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.SIGNED_OUT,
    action: `closed their session ${sessionId}`,
    rationale: "The person asked for it from another of their sessions.",
  });
