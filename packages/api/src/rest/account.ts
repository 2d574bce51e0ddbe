import { SignalboxError } from "@signalbox/contracts";
import { changeAccount, createToken, endOwnSession, getAccount, listOwnSessions } from "@signalbox/engine";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { cameFrom } from "../came-from.ts";
import { madeTokenView, ownSessionView } from "../member-view.ts";
import { sessionCookie } from "../session-cookie.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";

export const accountWish = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  password: z.string().max(1_000).optional(),
  currentPassword: z.string().max(1_000).optional(),
});

export const tokenWish = z.strictObject({ label: z.string(), expiresInHours: z.number().optional() });

/** What a person manages of themselves: who they are, how they sign in, and where they are signed in. */
export function accountRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, identification, publicUrl } = transport;
  const route = identifiedRoutes(app, transport);
  const cookie = sessionCookie(publicUrl);
  const ownToken = (request: FastifyRequest): string => {
    const token = identification.sessionTokenOf(request);
    // A key beside a cookie is who asks, and has no account.
    if (token !== undefined && request.headers.authorization === undefined) return token;
    throw new SignalboxError("FORBIDDEN", "A key has no account: sign in as a person.");
  };

  route("GET", "/v1/account", (asked, request) => getAccount(system, asked, ownToken(request)));

  route("PATCH", "/v1/account", async (asked, request, reply) => {
    const token = ownToken(request);
    const wish = jsonBody(accountWish, request.body);
    const came = cameFrom(transport, request);
    const { account, opened } = await changeAccount(system, asked, wish, { token, came });
    if (opened !== undefined)
      reply.setCookie(cookie.name, opened.token, { ...cookie.attributes, expires: opened.expiresAt });
    return account;
  });

  route("GET", "/v1/sessions", async (asked) => ({
    sessions: (await listOwnSessions(system, asked)).map(ownSessionView),
  }));

  route("POST", "/v1/sessions", async (asked, request, reply) => {
    const made = await createToken(system, asked, jsonBody(tokenWish, request.body));
    reply.code(201);
    return madeTokenView(made);
  });

  route<{ sessionId: string }>("DELETE", "/v1/sessions/:sessionId", async (asked, request, reply) => {
    await endOwnSession(system, asked, request.params.sessionId);
    return reply.code(204).send();
  });
}
