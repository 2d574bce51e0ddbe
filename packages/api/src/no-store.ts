import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from "fastify";

/** An `onSend` hook: what a caller was told is kept by no browser and no proxy, to be shown to who comes next. */
export const noStore = (
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
): void => {
  reply.header("cache-control", "no-store");
  done(null, payload);
};
