import { SignalboxError } from "@signalbox/contracts";
import type { FastifyRequest } from "fastify";
import type { Transport } from "../transport.ts";

/** As in a batch of tRPC. */
const MOST_TOGETHER = 20;

/** Earlier versions of the protocol let a body hold several messages: each counts as the one that comes by itself does. */
export async function countBatch(
  { limits, identification }: Transport,
  request: FastifyRequest,
  message: unknown,
): Promise<void> {
  if (!Array.isArray(message)) return;
  if (message.length > MOST_TOGETHER) {
    const said = `has ${message.length} messages; at most ${MOST_TOGETHER} are taken at once`;
    throw new SignalboxError("VALIDATION_FAILED", `The body ${said}.`, {
      violations: [{ field: "", rule: "max_items", message: said }],
    });
  }
  // The first was counted with the request.
  limits.countCall(request);
  for (let counted = 1; counted < message.length; counted += 1) {
    limits.countCall(request);
    await identification.requireBearer(request);
  }
}
