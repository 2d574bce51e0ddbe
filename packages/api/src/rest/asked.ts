import type { Asked } from "@signalbox/engine";
import type { FastifyRequest } from "fastify";
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
    recallingHook: async (request: FastifyRequest): Promise<void> => {
      const remembered = identification.recall(request);
      if (remembered === undefined) return hook(request);
      known.write(request, { ...remembered, requestId: request.id });
    },
    of: (request: FastifyRequest): Asked => {
      const asked = known.read(request);
      if (asked === undefined) throw new Error(`${request.routeOptions.url} has no identification hook`);
      return asked;
    },
  };
}
