import { TaskSubmissionSchema } from "@signalbox/contracts";
import {
  abortPipeline,
  getPipeline,
  listEndedPipelines,
  listPipelines,
  pausePipeline,
  resumePipeline,
  rewindPipeline,
  submitTask,
} from "@signalbox/engine";
import { z } from "zod";
import { permitsView } from "../permits-view.ts";
import { pipelineSummaryView, pipelineView } from "../pipeline-view.ts";
import { momentParameter } from "../rest/list-query.ts";
import { noted, rewinding, statusParameter } from "../rest/pipelines.ts";
import { withMessage } from "../rest/with-message.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const named = z.strictObject({ pipelineId: z.string().min(1).max(128) });
const search = z.strictObject({
  cursor: z.string().optional(),
  limit: z.number().int().optional(),
  status: statusParameter,
  packId: z.string().optional(),
  q: z.string().optional(),
  from: momentParameter,
  to: momentParameter,
});
const few = z.strictObject({ limit: z.number().int() });
/** As text, so that a fault is said of what was written, and unknown fields and doubled names are found. */
const submission = z.strictObject({ json: z.string().max(4_194_304) });

export const pipelinesRouter = router({
  list: procedure.input(inOurWords(search.optional())).query(async ({ ctx, input: { q, ...page } = {} }) => {
    const wanted = { ...page, query: q };
    const { pipelines, nextCursor } = await listPipelines(ctx.transport.system, ctx.asked, wanted);
    return { pipelines: pipelines.map(pipelineSummaryView), nextCursor: nextCursor ?? null };
  }),
  ended: procedure.input(inOurWords(few)).query(async ({ ctx, input }) => {
    const { pipelines } = await listEndedPipelines(ctx.transport.system, ctx.asked, input);
    return { pipelines: pipelines.map(pipelineSummaryView) };
  }),
  get: procedure.input(inOurWords(named)).query(async ({ ctx, input }) => {
    const pipeline = await getPipeline(ctx.transport.system, ctx.asked, input.pipelineId);
    return { ...pipelineView(pipeline), permits: permitsView(pipeline.state, ctx.asked.caller) };
  }),
  submit: procedure.input(inOurWords(submission)).mutation(({ ctx, input }) =>
    withMessage(TaskSubmissionSchema, new TextEncoder().encode(input.json), async (message) => {
      const { pipelineId, traceId } = await submitTask(ctx.transport.system, ctx.asked, message);
      return { pipelineId, traceId };
    }),
  ),
  pause: procedure
    .input(inOurWords(named.extend(noted.shape)))
    .mutation(({ ctx, input }) => pausePipeline(ctx.transport.system, ctx.asked, noteOf(input))),
  resume: procedure
    .input(inOurWords(named.extend(noted.shape)))
    .mutation(({ ctx, input }) => resumePipeline(ctx.transport.system, ctx.asked, noteOf(input))),
  abort: procedure
    .input(inOurWords(named.extend(noted.shape)))
    .mutation(({ ctx, input }) => abortPipeline(ctx.transport.system, ctx.asked, noteOf(input))),
  rewind: procedure
    .input(inOurWords(named.extend(rewinding.shape)))
    .mutation(({ ctx, input }) => rewindPipeline(ctx.transport.system, ctx.asked, input)),
});

const noteOf = ({ pipelineId, note }: { pipelineId: string; note?: string | undefined }) => ({
  pipelineId,
  ...(note === undefined ? {} : { note }),
});
