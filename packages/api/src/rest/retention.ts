import { changeRetention, getRetention, placeHold, releaseHold } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { holdView, retentionView } from "../retention-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";

const reason = z.string().meta({ description: "Why; at most 2000 characters. It stands on the record." });
export const retentionWish = z.strictObject({
  keepMonths: z
    .number()
    .nullable()
    .meta({ description: "A whole number from 12 to 1200; null for ever.", minimum: 12, maximum: 1200 }),
  reason,
});
export const holding = z.strictObject({ reason });

type OfHold = { holdId: string };

/** D20: how long the record is kept, and what holds it. */
export function retentionRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/audit/retention", async (asked) => retentionView(await getRetention(system, asked)));

  route("PUT", "/v1/audit/retention", async (asked, request) =>
    retentionView(await changeRetention(system, asked, jsonBody(retentionWish, request.body))),
  );

  route("POST", "/v1/audit/holds", async (asked, request, reply) => {
    const hold = await placeHold(system, asked, jsonBody(holding, request.body));
    reply.code(201);
    return holdView(hold);
  });

  route<OfHold>("POST", "/v1/audit/holds/:holdId/release", async (asked, request) =>
    holdView(await releaseHold(system, asked, request.params.holdId, jsonBody(holding, request.body))),
  );
}
