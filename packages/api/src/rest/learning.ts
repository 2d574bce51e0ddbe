import {
  decideProposal,
  getProposal,
  listAggregates,
  listCacheRecords,
  listPlaybooks,
  listProposals,
  listRatedTasks,
  listRatings,
  rateResult,
} from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { acceptance, rating, refusal, scopes } from "../learning-bodies.ts";
import {
  aggregateView,
  cacheRecordView,
  givenRatingView,
  proposalInFullView,
  proposalView,
  ratedTaskView,
} from "../learning-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";
import { listQuery, readQuery, textParameter, truthParameter } from "./list-query.ts";

type OfTask = { taskId: string };
type OfProposal = { proposalId: string };

export const resultsQuery = listQuery({});
export const recordsQuery = listQuery({});
export const aggregatesQuery = listQuery({
  by: z.enum(scopes).optional().meta({ description: "By which key; `territory` where nothing is said." }),
  capability: textParameter,
  territory: textParameter.meta({ description: "Empty: tasks that named none." }),
});
export const proposalsQuery = listQuery({
  open: truthParameter.meta({ description: "Whether they wait for a person." }),
});

/** SAP V2.0 §7: what people say of results, what is learnt of it, and what becomes of that. */
export function learningRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route<OfTask>("POST", "/v1/sap/tasks/:taskId/rating", (asked, request) =>
    rateResult(system, asked, request.params.taskId, jsonBody(rating, request.body)),
  );

  route<OfTask>("GET", "/v1/sap/tasks/:taskId/ratings", async (asked, request) => {
    const ratings = await listRatings(system, asked, request.params.taskId);
    return { ratings: ratings.map(givenRatingView) };
  });

  route("GET", "/v1/learning/results", async (asked, request) => {
    const page = readQuery(resultsQuery, request.query);
    const { rows, nextCursor } = await listRatedTasks(system, asked, page);
    return { results: rows.map(ratedTaskView), nextCursor };
  });

  route("GET", "/v1/learning/aggregates", async (asked, request) => {
    const page = readQuery(aggregatesQuery, request.query);
    const { rows, nextCursor } = await listAggregates(system, asked, page);
    return { aggregates: rows.map(aggregateView), nextCursor };
  });

  route("GET", "/v1/learning/cache-records", async (asked, request) => {
    const page = readQuery(recordsQuery, request.query);
    const { rows, nextCursor } = await listCacheRecords(system, asked, page);
    return { records: rows.map(cacheRecordView), nextCursor };
  });

  route("GET", "/v1/learning/playbooks", (asked) => listPlaybooks(system, asked));

  route("GET", "/v1/learning/proposals", async (asked, request) => {
    const page = readQuery(proposalsQuery, request.query);
    const { proposals, nextCursor } = await listProposals(system, asked, page);
    return { proposals: proposals.map(proposalView), nextCursor };
  });

  route<OfProposal>("GET", "/v1/learning/proposals/:proposalId", async (asked, request) =>
    proposalInFullView(await getProposal(system, asked, request.params.proposalId)),
  );

  route<OfProposal>("POST", "/v1/learning/proposals/:proposalId/accept", (asked, request) => {
    const { reason, replaces } = jsonBody(acceptance, request.body);
    const decision = { word: "accepted", reason, replaces } as const;
    return decideProposal(system, asked, request.params.proposalId, decision);
  });

  route<OfProposal>("POST", "/v1/learning/proposals/:proposalId/refuse", (asked, request) => {
    const { reason } = jsonBody(refusal, request.body);
    return decideProposal(system, asked, request.params.proposalId, { word: "refused", reason });
  });
}
