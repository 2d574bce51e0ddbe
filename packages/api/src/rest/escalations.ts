import { getEscalation, listEscalations, resolveEscalation } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { escalationResource } from "../escalation-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";
import { listQuery, namedParameter, readQuery } from "./list-query.ts";
import { answerBody, resolutionOf } from "./resolution.ts";

type OfEscalation = { escalationId: string };

const truths = new Map([
  ["", true],
  ["true", true],
  ["false", false],
]);
export const escalationsQuery = listQuery({
  open: namedParameter((name) => truths.get(name), "true, false"),
});

export function escalationRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/escalations", async (asked, request) => {
    const page = readQuery(escalationsQuery, request.query);
    const { escalations, nextCursor } = await listEscalations(system, asked, page);
    return { escalations: escalations.map(escalationResource), nextCursor };
  });

  route<OfEscalation>("GET", "/v1/escalations/:escalationId", async (asked, request) =>
    escalationResource(await getEscalation(system, asked, request.params.escalationId)),
  );

  route<OfEscalation>("POST", "/v1/escalations/:escalationId/resolve", (asked, request) => {
    const body = jsonBody(answerBody, request.body);
    const answer = { resolution: resolutionOf(body), comment: body.comment };
    return resolveEscalation(system, asked, request.params.escalationId, answer);
  });
}
