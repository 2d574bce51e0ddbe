import type { FastifyRequest } from "fastify";
import { requestNote } from "./request-note.ts";

/** tRPC's WebSocket and the ws library hand on the raw request only; what hooks learned hangs on Fastify's. */
const requests = requestNote<FastifyRequest>();

export const rememberRequest = (request: FastifyRequest): void => {
  requests.write(request.raw, request);
};

export const requestOf = (raw: object): FastifyRequest | undefined => requests.read(raw);
