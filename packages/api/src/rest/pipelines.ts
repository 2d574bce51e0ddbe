import { PipelineStatusSchema } from "@signalbox/contracts";
import {
  abortPipeline,
  getPipeline,
  listPipelines,
  pausePipeline,
  readTrace,
  resumePipeline,
  rewindPipeline,
} from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { enumNames, enumNumber } from "../enum-name.ts";
import { pipelineSummaryView, pipelineView, traceView } from "../pipeline-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody, optionalJsonBody } from "./json-body.ts";
import { listQuery, namedParameter, readQuery } from "./list-query.ts";

type OfPipeline = { pipelineId: string };

export const pipelinesQuery = listQuery({
  status: namedParameter((name) => enumNumber(PipelineStatusSchema, name), enumNames(PipelineStatusSchema)),
});
export const noted = z.strictObject({ note: z.string().optional() });
export const rewinding = z.strictObject({ stageId: z.string().min(1), instructions: z.string().default("") });
const commands = { pause: pausePipeline, resume: resumePipeline, abort: abortPipeline };

export function pipelineRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/pipelines", async (asked, request) => {
    const page = readQuery(pipelinesQuery, request.query);
    const { pipelines, nextCursor } = await listPipelines(system, asked, page);
    return { pipelines: pipelines.map(pipelineSummaryView), nextCursor };
  });

  route<OfPipeline>("GET", "/v1/pipelines/:pipelineId", async (asked, request) =>
    pipelineView(await getPipeline(system, asked, request.params.pipelineId)),
  );

  route<OfPipeline>("GET", "/v1/pipelines/:pipelineId/trace", async (asked, request) =>
    traceView(await readTrace(system, asked, request.params.pipelineId)),
  );

  for (const [name, command] of Object.entries(commands)) {
    route<OfPipeline>("POST", `/v1/pipelines/:pipelineId/${name}`, (asked, request) => {
      const { note } = optionalJsonBody(noted, request.body);
      return command(system, asked, {
        ...request.params,
        ...(note === undefined ? {} : { note }),
      });
    });
  }

  route<OfPipeline>("POST", "/v1/pipelines/:pipelineId/rewind", (asked, request) => {
    const { stageId, instructions } = jsonBody(rewinding, request.body);
    return rewindPipeline(system, asked, { ...request.params, stageId, instructions });
  });
}
