import { glimpseJson, parseJson } from "@signalbox/contracts";
import { isFinal } from "@signalbox/core";
import { nackOf, readSapResult, readSapTranscript, submitSapTask } from "@signalbox/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "../problem.ts";
import {
  correlationHeader,
  correlationOf,
  givenCorrelation,
  refuseOtherCorrelation,
} from "../sap-correlation.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";

type OfTask = { taskId: string };

/** SAP V2.0 §10: a task in and a Result out as JSON bodies, the correlation in a header too. */
export function sapRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route(
    "POST",
    "/v1/sap/tasks",
    async (asked, request, reply) => {
      const task = parseJson(request.body ?? "");
      refuseOtherCorrelation(request, task);
      const answer = await submitSapTask(system, asked, task, "http");
      const ids = answer.ack ?? answer.result;
      reply.header(correlationHeader, correlationOf(request, ids?.correlationId ?? ""));
      // Who wanted no acknowledgement has a Result that is not the last.
      if (answer.result === undefined || !isFinal(answer.result.status))
        reply.code(201).header("location", `/v1/sap/tasks/${ids?.taskId}/result`);
      return answer;
    },
    { errorHandler: (error, request, reply) => void sendNack(request, reply, error) },
  );

  route<OfTask>(
    "GET",
    "/v1/sap/tasks/:taskId",
    async (asked, request, reply) => {
      const transcript = await readSapTranscript(system, asked, request.params.taskId);
      reply.header(correlationHeader, correlationOf(request, transcript.task.correlationId));
      return transcript;
    },
    { errorHandler: sendRefusal },
  );

  route<OfTask>(
    "GET",
    "/v1/sap/tasks/:taskId/result",
    async (asked, request, reply) => {
      const result = await readSapResult(system, asked, request.params.taskId);
      reply.header(correlationHeader, correlationOf(request, result.correlationId));
      return result;
    },
    { errorHandler: sendRefusal },
  );
}

/** What was refused is correlated too, whoever refused it: by its header, or else by the envelope as far as it was read. */
function correlate(request: FastifyRequest, reply: FastifyReply, ofEnvelope: string | null): void {
  const id = givenCorrelation(request) ?? ofEnvelope;
  if (id !== null) reply.header(correlationHeader, id);
}

function sendNack(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  return sendProblem(request, reply, thrown, (error) => {
    const nack = nackOf(error, sent(request.body), request.id);
    correlate(request, reply, nack.correlationId);
    // Of who was not let in, and of what is too large, the body is not read.
    return { nack: { ...nack, correlationId: nack.correlationId ?? givenCorrelation(request) } };
  });
}

function sendRefusal(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  correlate(request, reply, null);
  void sendProblem(request, reply, thrown);
}

/** What was refused as JSON may still say whose it is. */
const sent = (body: unknown): unknown => (body instanceof Uint8Array ? glimpseJson(body) : undefined);
