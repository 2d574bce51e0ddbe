import { TaskSubmissionSchema } from "@signalbox/contracts";
import { submitTask } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { withMessage } from "./with-message.ts";

export function taskRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("POST", "/v1/tasks", async (asked, request, reply) => {
    const { pipelineId, traceId } = await withMessage(TaskSubmissionSchema, request.body, (submission) =>
      submitTask(system, asked, submission),
    );
    reply.code(201).header("location", `/v1/pipelines/${pipelineId}`);
    return { pipelineId, traceId };
  });
}
