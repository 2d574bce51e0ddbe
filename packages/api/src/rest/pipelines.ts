import { PipelineStatusSchema } from "@signalbox/contracts";
import {
  abortPipeline,
  eventTypes,
  getPipeline,
  listPipelines,
  pausePipeline,
  readEvents,
  readTrace,
  readTurns,
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
import { listQuery, momentParameter, namedParameter, readQuery, textParameter } from "./list-query.ts";

type OfPipeline = { pipelineId: string };

export const statusParameter = namedParameter(
  (name) => enumNumber(PipelineStatusSchema, name),
  enumNames(PipelineStatusSchema),
);
export const pipelinesQuery = listQuery({
  status: statusParameter,
  packId: textParameter,
  q: textParameter.meta({
    description:
      "Each word begins one of the task's title or id, of the name or the template's; or all of it begins the pipeline's id.",
  }),
  from: momentParameter,
  to: momentParameter,
});
export const turnsQuery = listQuery({ stageId: textParameter });
export const eventsQuery = listQuery({
  stageId: textParameter,
  type: namedParameter((name) => eventTypes.find((type) => type === name), eventTypes.join(", ")),
});
export const noted = z.strictObject({ note: z.string().optional() });
export const rewinding = z.strictObject({ stageId: z.string().min(1), instructions: z.string().default("") });
const commands = { pause: pausePipeline, resume: resumePipeline, abort: abortPipeline };

export function pipelineRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/pipelines", async (asked, request) => {
    const { q, ...page } = readQuery(pipelinesQuery, request.query);
    const { pipelines, nextCursor } = await listPipelines(system, asked, { ...page, query: q });
    return { pipelines: pipelines.map(pipelineSummaryView), nextCursor };
  });

  route<OfPipeline>("GET", "/v1/pipelines/:pipelineId", async (asked, request) =>
    pipelineView(await getPipeline(system, asked, request.params.pipelineId)),
  );

  route<OfPipeline>("GET", "/v1/pipelines/:pipelineId/trace", async (asked, request) =>
    traceView(await readTrace(system, asked, request.params.pipelineId)),
  );

  route<OfPipeline>("GET", "/v1/pipelines/:pipelineId/turns", (asked, request) =>
    readTurns(system, asked, { ...readQuery(turnsQuery, request.query), ...request.params }),
  );

  route<OfPipeline>("GET", "/v1/pipelines/:pipelineId/events", (asked, request) =>
    readEvents(system, asked, { ...readQuery(eventsQuery, request.query), ...request.params }),
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
