import type { Asked } from "@signalbox/engine";
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import { requestNote } from "../request-note.ts";
import type { Transport } from "../transport.ts";

/** Names the caller before the body is read: whoever is not known has nothing parsed for them. */
export function askedBy({ identification }: Transport) {
  const known = requestNote<Asked>();
  const hook = async (request: FastifyRequest): Promise<void> => {
    const caller = await identification.requireCaller(request);
    known.write(request, { caller, requestId: request.id });
  };
  return {
    hook,
    /** Where a cookie must not count. */
    bearerHook: async (request: FastifyRequest): Promise<void> => {
      const caller = await identification.requireBearer(request);
      known.write(request, { caller, requestId: request.id });
    },
    /** For commands that confirm the caller where they write (ADR 0053). */
    recallingHook: (
      request: FastifyRequest,
      _reply: FastifyReply,
      done: HookHandlerDoneFunction,
    ): Promise<void> | undefined => {
      // Fastify goes on when it is told, or when a promise settles, which most requests do not need here.
      const remembered = identification.recall(request);
      if (remembered === undefined) return hook(request);
      known.write(request, { ...remembered, requestId: request.id });
      done();
      return undefined;
    },
    of: (request: FastifyRequest): Asked => {
      const asked = known.read(request);
      if (asked === undefined) throw new Error(`${request.routeOptions.url} has no identification hook`);
      return asked;
    },
  };
}
