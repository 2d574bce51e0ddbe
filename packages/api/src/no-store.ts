import type { FastifyReply, FastifyRequest } from "fastify";

/** An `onSend` hook: what a caller was told is kept by no browser and no proxy, to be shown to who comes next. */
export const noStore = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  reply.header("cache-control", "no-store");
};
