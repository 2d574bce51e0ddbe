import { SignalboxError } from "@signalbox/contracts";
import { firstTenant, signInByIdentity } from "@signalbox/engine";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cameFrom } from "../came-from.ts";
import { sessionCookie } from "../session-cookie.ts";
import type { Transport } from "../transport.ts";
import { readQuery } from "./list-query.ts";
import { tenantName } from "./session.ts";

export const oidcQuery = z.strictObject({ tenantId: tenantName, next: z.string().max(2_000).optional() });
const flow = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  tenantId: tenantName,
  next: z.string().optional(),
});
const flowSeconds = 600;

/** What the sign-in page is told of a sign-in that failed; what the provider said is in the log alone. */
const refusals: Record<string, string> = { UNAUTHENTICATED: "not-a-member", RATE_LIMITED: "too-many" };

/**
 * Signing in by the OIDC provider. What must come back stands in a cookie of this browser alone, so that no other one's
 * answer is taken and nothing is kept here for whoever never comes back. Lax, since the provider sends the browser back.
 */
export function oidcRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, publicUrl, identityProvider: provider } = transport;
  if (provider === undefined || publicUrl === undefined) return;
  const session = sessionCookie(publicUrl);
  const secure = session.attributes.secure === true;
  const name = secure ? "__Host-signalbox_oidc" : "signalbox_oidc";
  const attributes: CookieSerializeOptions = { httpOnly: true, sameSite: "lax", secure, path: "/" };

  app.get("/v1/session/oidc", async (request, reply) => {
    const { tenantId, next } = readQuery(oidcQuery, request.query);
    const begun = await provider.begin();
    const kept = Buffer.from(JSON.stringify({ ...begun.flow, tenantId, next })).toString("base64url");
    return reply.setCookie(name, kept, { ...attributes, maxAge: flowSeconds }).redirect(begun.url.href, 303);
  });

  app.get("/v1/session/oidc/callback", async (request, reply) => {
    reply.clearCookie(name, attributes);
    const kept = readFlow(request.cookies[name]);
    // Who is refused stays in front of the same tenant's door, and goes on to where they were going by another way in.
    const signIn = (refused: string) => {
      const { next, tenantId } = kept ?? {};
      const told = new URLSearchParams({ refused, ...(next !== undefined && { next }) });
      if (tenantId !== undefined && tenantId !== firstTenant.tenantId) told.set("tenant", tenantId);
      return reply.redirect(`/sign-in?${told.toString()}`, 303);
    };
    if (kept === undefined) return signIn("not-begun-here");
    try {
      const { tenantId, next, ...expected } = kept;
      const claims = await provider.finish(new URL(request.url, publicUrl), expected);
      const opened = await signInByIdentity(system, { tenantId, claims }, cameFrom(transport, request));
      reply.setCookie(session.name, opened.token, { ...session.attributes, expires: opened.expiresAt });
      return reply.redirect(ownPath(next), 303);
    } catch (error) {
      if (!(error instanceof SignalboxError) || error.code === "INTERNAL") throw error;
      request.log.info({ err: error }, "sign-in by OIDC refused");
      return signIn(error.cause === undefined ? (refusals[error.code] ?? "unavailable") : "provider");
    }
  });
}

function readFlow(cookie: string | undefined): z.infer<typeof flow> | undefined {
  try {
    return flow.parse(JSON.parse(Buffer.from(cookie ?? "", "base64url").toString("utf8")));
  } catch {
    return undefined;
  }
}

/** A path of ours, or the first page: `//host` and `/\host` would lead a person who has just signed in elsewhere. */
function ownPath(next: string | undefined): string {
  const base = "http://signalbox.invalid";
  if (next === undefined || !/^\/(?![/\\])/.test(next) || /[^\x21-\x7E]/.test(next)) return "/";
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : "/";
}
