import { parseJson, SignalboxError } from "@signalbox/contracts";
import { closeSession, firstTenant, signInByLink, signInByPassword } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cameFrom } from "../came-from.ts";
import { readWith } from "../read-with.ts";
import { sessionCookie } from "../session-cookie.ts";
import { sessionView } from "../session-view.ts";
import type { Transport } from "../transport.ts";
import { askedBy } from "./asked.ts";

/** As row security compares it: anything else is no tenant's name. */
export const tenantName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "is no tenant's name")
  .default(firstTenant.tenantId);
const byLink = z.strictObject({ token: z.string().min(1).max(512) });
const byPassword = z.strictObject({
  email: z.string().max(1_000),
  password: z.string().max(1_000),
  tenantId: tenantName,
});

export const signIn = z.union([byLink, byPassword]);

const holdsToken = (body: unknown) => typeof body === "object" && body !== null && "token" in body;

/** Signing in by a one-time link or a password, and signing out. Neither is ever in a URL, which logs keep. */
export function sessionRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, identification, publicUrl } = transport;
  const identify = askedBy(transport);
  const cookie = sessionCookie(publicUrl);

  app.post<{ Body: Uint8Array | undefined }>(
    "/v1/session",
    {
      bodyLimit: 8192,
      onRequest: (request, _reply, done) => {
        identification.refuseForeignPage(request);
        done();
      },
    },
    async (request, reply) => {
      const body = parseJson(request.body ?? "");
      const came = cameFrom(transport, request);
      const opened = holdsToken(body)
        ? await signInByLink(system, readWith(byLink, body).token, came)
        : await signInByPassword(system, readWith(byPassword, body), came);
      reply.setCookie(cookie.name, opened.token, { ...cookie.attributes, expires: opened.expiresAt });
      return reply.code(201).send(sessionView(opened.caller));
    },
  );

  app.delete("/v1/session", { onRequest: identify.hook }, async (request, reply) => {
    const token = identification.sessionTokenOf(request);
    if (token === undefined) throw new SignalboxError("FORBIDDEN", "A key has no session to sign out of.");
    await closeSession(system, identify.of(request), token);
    return reply.clearCookie(cookie.name, cookie.attributes).code(204).send();
  });
}
