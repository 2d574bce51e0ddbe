import {
  assignEscalation,
  commentOnEscalation,
  getEscalation,
  listEscalations,
  resolveEscalation,
} from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import {
  assigneeOf,
  assigning,
  causeParameter,
  commenting,
  orderParameter,
  timelinessParameter,
} from "../escalation-search.ts";
import { commentView, escalationInFull, escalationResource } from "../escalation-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";
import { listQuery, readQuery, textParameter, truthParameter } from "./list-query.ts";
import { answerBody, resolutionOf } from "./resolution.ts";

type OfEscalation = { escalationId: string };

export const escalationsQuery = listQuery({
  open: truthParameter,
  cause: causeParameter,
  packId: textParameter,
  pipelineId: textParameter,
  assignee: textParameter.meta({ description: "A member's id, or `nobody`." }),
  timeliness: timelinessParameter,
  order: orderParameter,
  q: textParameter.meta({
    description: "Each word begins one of the task's title or id, of the pipeline's name or its template's.",
  }),
});

export function escalationRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/escalations", async (asked, request) => {
    const { assignee, q, ...page } = readQuery(escalationsQuery, request.query);
    const search = { ...page, query: q, assigneeId: assigneeOf(assignee) };
    const { escalations, nextCursor } = await listEscalations(system, asked, search);
    return { escalations: escalations.map(escalationResource), nextCursor };
  });

  route<OfEscalation>("GET", "/v1/escalations/:escalationId", async (asked, request) =>
    escalationInFull(await getEscalation(system, asked, request.params.escalationId)),
  );

  route<OfEscalation>("POST", "/v1/escalations/:escalationId/assign", async (asked, request, reply) => {
    const { assignee, instead } = jsonBody(assigning, request.body);
    await assignEscalation(system, asked, request.params.escalationId, { assigneeId: assignee, instead });
    return reply.code(204).send();
  });

  route<OfEscalation>("POST", "/v1/escalations/:escalationId/comment", async (asked, request, reply) => {
    const { comment } = jsonBody(commenting, request.body);
    reply.code(201);
    return commentView(await commentOnEscalation(system, asked, request.params.escalationId, comment));
  });

  route<OfEscalation>("POST", "/v1/escalations/:escalationId/resolve", (asked, request) => {
    const body = jsonBody(answerBody, request.body);
    const answer = { resolution: resolutionOf(body), comment: body.comment };
    return resolveEscalation(system, asked, request.params.escalationId, answer);
  });
}
