import { parseJson, SignalboxError } from "@signalbox/contracts";
import { closeSession, openSession } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { readWith } from "../read-with.ts";
import { sessionCookie } from "../session-cookie.ts";
import { sessionView } from "../session-view.ts";
import type { Transport } from "../transport.ts";
import { askedBy } from "./asked.ts";

export const signIn = z.strictObject({ token: z.string().min(1).max(512) });

/** Signing in with a one-time link, and signing out. The token is in a body and never in a URL, which logs keep. */
export function sessionRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, identification, publicUrl } = transport;
  const identify = askedBy(transport);
  const cookie = sessionCookie(publicUrl);

  app.post<{ Body: Uint8Array | undefined }>(
    "/v1/session",
    {
      bodyLimit: 4096,
      onRequest: (request, _reply, done) => {
        identification.refuseForeignPage(request);
        done();
      },
    },
    async (request, reply) => {
      const { token } = readWith(signIn, parseJson(request.body ?? ""));
      const opened = await openSession(system, { token, requestId: request.id });
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
