import type { MemberRole } from "@signalbox/core";

/** What a role is for, after "who". What exactly it may is core's permission table. */
const roleWords: Readonly<Record<MemberRole, string>> = {
  viewer: "reads everything but the audit record",
  operator: "also registers packs, submits tasks, and drafts and publishes policy",
  approver: "reads, and answers escalations",
  auditor: "reads, and searches the audit record",
  admin: "may do all of it, and manages members and keys",
};

export const isMemberRole = (role: string): role is MemberRole => Object.hasOwn(roleWords, role);
export const memberRoles = Object.keys(roleWords).filter(isMemberRole);
export const wordsOf = (role: string): string => (isMemberRole(role) ? roleWords[role] : "has no role here");
