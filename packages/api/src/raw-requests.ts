import type { FastifyRequest } from "fastify";

/** tRPC's WebSocket and the ws library hand on the raw request only; what hooks learned hangs on Fastify's. */
const requests = new WeakMap<object, FastifyRequest>();

export const rememberRequest = (request: FastifyRequest): void => {
  requests.set(request.raw, request);
};

export const requestOf = (raw: object): FastifyRequest | undefined => requests.get(raw);
