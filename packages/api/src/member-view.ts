import { tokenMethod } from "@signalbox/core";
import { browserName } from "./browser-name.ts";
import type { CreatedKey, MadeToken, MemberLink, MemberPage, OwnSession } from "@signalbox/engine";

type MemberSummary = MemberPage["members"][number];

/** A member as pages and programs read one; a moment that never was is null. */
export const memberView = (member: MemberSummary) => ({
  memberId: member.memberId,
  email: member.email,
  name: member.name,
  role: member.role,
  hasPassword: member.hasPassword,
  hasIdentity: member.hasIdentity,
  createdAt: member.createdAt.toISOString(),
  createdBy: member.createdBy,
  lastSignedInAt: member.lastSignedInAt?.toISOString() ?? null,
  invitedUntil: member.invitedUntil?.toISOString() ?? null,
});

/** The token stands in a fragment, which no server and no log is sent; without PUBLIC_URL it is a path of this server. */
export const linkView = ({ token, expiresAt }: MemberLink, publicUrl: URL | undefined) => ({
  link: `${publicUrl?.origin ?? ""}/invitation#${token}`,
  expiresAt: expiresAt.toISOString(),
});

export const keyView = (key: CreatedKey["key"]) => ({
  keyId: key.keyId,
  prefix: key.prefix,
  label: key.label,
  role: key.role,
  packIds: key.packIds,
  createdAt: key.createdAt.toISOString(),
  createdBy: key.createdBy,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
});

export const ownSessionView = (session: OwnSession) => ({
  sessionId: session.sessionId,
  current: session.current,
  method: session.method,
  userAgent: session.userAgent,
  // What a program is called, its person said.
  browser: session.method === tokenMethod ? session.userAgent : browserName(session.userAgent),
  createdAt: session.createdAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
});

/** The token is in this answer and in no other. */
export const madeTokenView = ({ sessionId, token, label, expiresAt }: MadeToken) => ({
  sessionId,
  label,
  token,
  expiresAt: expiresAt.toISOString(),
});
