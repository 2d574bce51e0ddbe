import { parseJson, SignalboxError } from "@signalbox/contracts";
import { UuidSchema } from "@signalbox/contracts/sap";
import { nackOf, readSapResult, readSapTranscript, submitSapTask } from "@signalbox/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "../problem.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";

type OfTask = { taskId: string };

const correlationHeader = "x-correlation-id";

/** SAP V2.0 §10: a task in and a Result out as JSON bodies, the correlation in a header too. */
export function sapRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route(
    "POST",
    "/v1/sap/tasks",
    async (asked, request, reply) => {
      echoCorrelation(request, reply);
      const task = parseJson(request.body ?? "");
      refuseOtherCorrelation(request, task);
      const answer = await submitSapTask(system, asked, task, "http");
      const ids = answer.ack ?? answer.result;
      reply.header(correlationHeader, ids?.correlationId);
      if (answer.result === undefined)
        reply.code(201).header("location", `/v1/sap/tasks/${ids?.taskId}/result`);
      return answer;
    },
    { errorHandler: (error, request, reply) => void sendNack(request, reply, error) },
  );

  route<OfTask>("GET", "/v1/sap/tasks/:taskId", (asked, request) =>
    readSapTranscript(system, asked, request.params.taskId),
  );

  route<OfTask>("GET", "/v1/sap/tasks/:taskId/result", async (asked, request, reply) => {
    const result = await readSapResult(system, asked, request.params.taskId);
    reply.header(correlationHeader, result.correlationId);
    return result;
  });
}

/** What was refused is correlated too, as far as its header told. */
function echoCorrelation({ headers }: FastifyRequest, reply: FastifyReply): void {
  const given = UuidSchema.safeParse(headers[correlationHeader]);
  if (given.success) reply.header(correlationHeader, given.data);
}

function refuseOtherCorrelation({ headers }: FastifyRequest, task: unknown): void {
  const given = headers[correlationHeader];
  const said: unknown =
    typeof task === "object" && task !== null ? Reflect.get(task, "correlationId") : undefined;
  if (given === undefined || given === said) return;
  throw new SignalboxError("VALIDATION_FAILED", "The X-Correlation-Id header is not the task's.", {
    violations: [
      {
        field: "X-Correlation-Id",
        rule: "same",
        message: "is not the correlationId of the envelope; send the same, or none",
      },
    ],
  });
}

function sendNack(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  return sendProblem(request, reply, thrown, (error) => ({
    nack: nackOf(error, sentTask(request.body), request.id),
  }));
}

/** Whatever of it can be read; what cannot has no ids. */
function sentTask(body: unknown): unknown {
  try {
    return body instanceof Uint8Array ? parseJson(body) : undefined;
  } catch {
    return undefined;
  }
}
