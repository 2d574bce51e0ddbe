import { create, toJson } from "@bufbuild/protobuf";
import {
  type AgentHeartbeat,
  AgentHeartbeatSchema,
  AgentResultSchema,
  LeaseRequestSchema,
  DispatchAttemptSchema,
  parseJson,
  parseJsonAndTexts,
  type RequestHandoffRequest,
  RequestHandoffRequestSchema,
  RequestHandoffResponseSchema,
  SignalboxError,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import {
  heartbeat,
  type JudgedBefore,
  renewAndLease,
  renewDispatch,
  reportEvents,
  reportResult,
  reportTurn,
  requestHandoff,
} from "@signalbox/engine";
import { readDispatchId } from "@signalbox/core";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { dispatchIn } from "../dispatch-in.ts";
import { heartbeatView } from "../heartbeat-view.ts";
import { readWith } from "../read-with.ts";
import type { Transport } from "../transport.ts";
import { within } from "../within.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { repeatedBodies } from "./repeated-bodies.ts";
import { untilGone } from "./until-gone.ts";
import { withMessage } from "./with-message.ts";

type OfDispatch = { dispatchId: string };

/** The command says what is wrong with each of them. */
const batch = z.strictObject({ events: z.array(z.unknown()) });
/** These write with many others' in a group, and ask there for the keys of all of them. */
const confirms = { confirms: true };
const saidIn = (body: Uint8Array | undefined): unknown => parseJson(body ?? "");

/** The path names the dispatch, and so its attempt; a body may repeat it, and must then say the same (D6). */
function ofDispatch(wish: RequestHandoffRequest, dispatchId: string): RequestHandoffRequest {
  if (wish.attempt !== undefined && dispatchIn(wish.attempt) !== dispatchId)
    throw new SignalboxError("VALIDATION_FAILED", "The request names two dispatches.", {
      violations: [{ field: "attempt.dispatch_id", rule: "same_dispatch", message: "is not the path's" }],
    });
  const attemptNumber = readDispatchId(dispatchId)?.attemptNumber ?? 1;
  return { ...wish, attempt: create(DispatchAttemptSchema, { dispatchId, attemptNumber }) };
}

/** What an agent asks for: the same as over ControlPlaneService, and the renewal of one dispatch by itself. */
export function agentRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, identification } = transport;
  const route = identifiedRoutes(app, transport);
  // An agent that has nothing new says the same every few seconds.
  const heard = repeatedBodies<{ said: AgentHeartbeat; judged: JudgedBefore }>();

  route(
    "POST",
    "/v1/heartbeats",
    (asked, { body }) => {
      const known = heard.find(body);
      const judged = known?.judged ?? {};
      return withMessage(
        AgentHeartbeatSchema,
        body,
        async (said) => {
          const answer = await heartbeat(system, asked, said, judged);
          if (known === undefined && judged.is !== undefined) heard.keep(body, { said, judged });
          return heartbeatView(answer);
        },
        known?.said,
      );
    },
    confirms,
  );

  route("POST", "/v1/leases", (asked, request, reply) =>
    withMessage(LeaseRequestSchema, request.body, async (wanted) => {
      const { envelopes, leaseExpiresAt, lostDispatchIds } = await renewAndLease(
        system,
        { ...asked, credential: identification.credentialOf(request) },
        wanted,
        untilGone(reply),
      );
      return {
        envelopes: envelopes.map((envelope) => toJson(TaskEnvelopeSchema, envelope)),
        leaseExpiresAt: leaseExpiresAt?.toISOString() ?? null,
        lostDispatchIds,
      };
    }),
  );

  route<OfDispatch>("POST", "/v1/dispatches/:dispatchId/renew", async (asked, request) => {
    const { leaseExpiresAt } = await renewDispatch(system, asked, request.params.dispatchId);
    return { leaseExpiresAt: leaseExpiresAt.toISOString() };
  });

  route<OfDispatch>(
    "POST",
    "/v1/dispatches/:dispatchId/turns",
    async (asked, request) => {
      const { receivedAt } = await reportTurn(system, asked, request.params.dispatchId, saidIn(request.body));
      return { receivedAt: receivedAt.toISOString() };
    },
    confirms,
  );

  route<OfDispatch>(
    "POST",
    "/v1/dispatches/:dispatchId/events",
    async (asked, request) => {
      const { value, texts } = parseJsonAndTexts(request.body ?? "", "events");
      const { events } = readWith(batch, value);
      const { receivedAt } = await within("events", () =>
        reportEvents(system, asked, request.params.dispatchId, events, texts),
      );
      return { receivedAt: receivedAt.toISOString() };
    },
    confirms,
  );

  route<OfDispatch>("POST", "/v1/dispatches/:dispatchId/handoffs", (asked, request) =>
    withMessage(RequestHandoffRequestSchema, request.body, async (wish) => {
      const { dispatchId } = request.params;
      const answer = await requestHandoff(system, asked, dispatchId, ofDispatch(wish, dispatchId));
      return toJson(RequestHandoffResponseSchema, create(RequestHandoffResponseSchema, answer));
    }),
  );

  route<OfDispatch>(
    "POST",
    "/v1/dispatches/:dispatchId/result",
    (asked, request) =>
      withMessage(AgentResultSchema, request.body, async (result) => {
        const { dispatchId } = request.params;
        const { receivedAt } = await reportResult(system, asked, dispatchId, result);
        return { receivedAt: receivedAt.toISOString() };
      }),
    confirms,
  );
}
