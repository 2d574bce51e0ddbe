/** How a session came to be that is no sign-in: a person made it for a program (TOKEN-1). */
export const tokenMethod = "token";

/** How a person came: what the session and the record say. */
export type SignInMethod = "link" | "password" | "oidc";

/** A stay ends after so long, and sooner when nobody uses it. */
export const sessionMinutes = { most: 12 * 60, idle: 2 * 60 } as const;

/**
 * Whom an address counts as: of IPv6 the first 64 bits, since whoever has one such address has all that begin so; an IPv4
 * address in IPv6's clothes is itself.
 */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(?<v4>\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.groups?.["v4"];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail = ""] = (address.split("%", 1)[0] ?? "").toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === "" ? 0 : tail.split(":").length;
  const gap = address.includes("::") ? 8 - groups.length - after : 0;
  const all = [...groups, ...Array.from({ length: Math.max(gap, 0) }, () => "0"), ...tail.split(":")];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":")}::/64`;
}

export type AttemptLimit = { subject: string; most: number; seconds: number };

/**
 * SIGN-1: what an attempt with a password counts against. The account's own limit is the widest in number, since whoever
 * reaches it keeps its owner out too; an address that is tried from and not to blame (a proxy, an office) has most room.
 */
export function attemptLimits({
  tenantId,
  email,
  address,
}: {
  tenantId: string;
  email: string;
  address: string;
}): { account: AttemptLimit; pair: AttemptLimit; address: AttemptLimit } {
  const account = JSON.stringify(["account", tenantId, email]);
  return {
    account: { subject: account, most: 50, seconds: 60 * 60 },
    pair: { subject: JSON.stringify([account, address]), most: 10, seconds: 15 * 60 },
    address: { subject: JSON.stringify(["address", address]), most: 100, seconds: 15 * 60 },
  };
}

export type OidcClaims = {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
};
export type OidcDecision<M> =
  | { outcome: "known"; member: M }
  | { outcome: "bind"; member: M }
  | { outcome: "nobody" };

/**
 * SIGN-2: a provider says who somebody is, and an administrator who may come. An address alone never makes a member, and one
 * that the provider did not verify is anybody's claim.
 */
export function decideOidcMember<M>(
  { email, emailVerified }: OidcClaims,
  found: { byIdentity: M | undefined; byEmail: { member: M; invited: boolean } | undefined },
): OidcDecision<M> {
  if (found.byIdentity !== undefined) return { outcome: "known", member: found.byIdentity };
  const { byEmail } = found;
  if (email === undefined || !emailVerified || byEmail?.invited !== true) return { outcome: "nobody" };
  return { outcome: "bind", member: byEmail.member };
}
