/** A member's roles, and `agent` for the key of a program that works as an agent. */
export const roles = ["viewer", "operator", "approver", "auditor", "admin", "agent"] as const;
export type Role = (typeof roles)[number];

/** What a person can be. */
export const memberRoles = ["viewer", "operator", "approver", "auditor", "admin"] as const;
export type MemberRole = (typeof memberRoles)[number];

export const isMemberRole = (value: unknown): value is MemberRole =>
  memberRoles.some((role) => role === value);

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value);

export type Actor = { type: "human" | "agent" | "system"; id: string };

/** Who asks: named by the transport from a key or a session, and never from anything the request's body says. */
export type Caller = {
  tenantId: string;
  actor: Actor;
  role: Role;
  /** `token`: what a person made for a program that speaks for them over MCP (ADR 0060). */
  credential: "key" | "session" | "token";
  /** The packs that a key may speak for; without them it may speak for any. */
  packIds?: readonly string[] | undefined;
  /** Of a session or a token, so that it is told from the member's others; never what opens it. */
  sessionId?: string | undefined;
};
