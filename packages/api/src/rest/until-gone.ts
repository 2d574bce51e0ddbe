import type { FastifyReply } from "fastify";

/**
 * Aborted when the client goes before it was answered. Fastify's `request.signal` hears the request's `close`, which Node
 * emits as soon as the body was read.
 */
export function untilGone({ raw, log }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (raw.writableEnded) return;
    log.debug("the client went before it was answered");
    gone.abort();
  };
  if (raw.destroyed) leave();
  else raw.once("close", leave);
  return gone.signal;
}
