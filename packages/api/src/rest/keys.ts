import { createKey, listKeys, revokeKey } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { keyView } from "../member-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";
import { listQuery, readQuery } from "./list-query.ts";

export const keysQuery = listQuery({});
export const keyWish = z.strictObject({
  label: z.string(),
  role: z.string(),
  packIds: z.array(z.string()).max(1_000).optional(),
  expiresInDays: z.number().optional(),
});

/** Programs' credentials. The secret is in the answer that makes a key, and never again. */
export function keyRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/keys", async (asked, request) => {
    const { keys, nextCursor } = await listKeys(system, asked, readQuery(keysQuery, request.query));
    return { keys: keys.map(keyView), nextCursor };
  });

  route("POST", "/v1/keys", async (asked, request, reply) => {
    const { key, secret } = await createKey(system, asked, jsonBody(keyWish, request.body));
    reply.code(201);
    return { ...keyView(key), secret };
  });

  route<{ keyId: string }>("DELETE", "/v1/keys/:keyId", async (asked, request, reply) => {
    await revokeKey(system, asked, request.params.keyId);
    return reply.code(204).send();
  });
}
