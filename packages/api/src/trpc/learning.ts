import {
  decideProposal,
  getProposal,
  listAggregates,
  listCacheRecords,
  listPlaybooks,
  listProposals,
  listRatedTasks,
  rateResult,
  readPipelineResult,
} from "@signalbox/engine";
import { z } from "zod";
import { acceptance, rating, refusal, scopes } from "../learning-bodies.ts";
import {
  aggregateView,
  cacheRecordView,
  pipelineResultView,
  proposalInFullView,
  proposalView,
  ratedTaskView,
} from "../learning-view.ts";
import { inOurWords, pageInput, procedure, router } from "./procedures.ts";

const name = z.string().max(500).optional();
const page = { cursor: z.string().optional(), limit: z.number().int().optional() };
const aggregates = z.strictObject({
  ...page,
  by: z.enum(scopes).optional(),
  capability: name,
  territory: name,
});
const proposals = z.strictObject({ ...page, open: z.boolean().optional() });
const ofProposal = z.strictObject({ proposalId: z.string().min(1).max(200) });
const ofTask = z.strictObject({ taskId: z.string().min(1).max(200) });

export const learningRouter = router({
  results: procedure.input(inOurWords(pageInput)).query(async ({ ctx, input = {} }) => {
    const { rows, nextCursor } = await listRatedTasks(ctx.transport.system, ctx.asked, input);
    return { results: rows.map(ratedTaskView), nextCursor: nextCursor ?? null };
  }),
  /** Null where the pipeline is no task of SAP, which to its page is no failure. */
  ofPipeline: procedure
    .input(inOurWords(z.strictObject({ pipelineId: z.string().min(1).max(200) })))
    .query(async ({ ctx, input }) => {
      const found = await readPipelineResult(ctx.transport.system, ctx.asked, input.pipelineId);
      return found === undefined ? null : pipelineResultView(found);
    }),
  rate: procedure
    .input(inOurWords(ofTask.extend(rating.shape)))
    .mutation(({ ctx, input: { taskId, ...said } }) =>
      rateResult(ctx.transport.system, ctx.asked, taskId, said),
    ),
  aggregates: procedure.input(inOurWords(aggregates.optional())).query(async ({ ctx, input = {} }) => {
    const { rows, nextCursor } = await listAggregates(ctx.transport.system, ctx.asked, input);
    return { aggregates: rows.map(aggregateView), nextCursor: nextCursor ?? null };
  }),
  records: procedure.input(inOurWords(pageInput)).query(async ({ ctx, input = {} }) => {
    const { rows, nextCursor } = await listCacheRecords(ctx.transport.system, ctx.asked, input);
    return { records: rows.map(cacheRecordView), nextCursor: nextCursor ?? null };
  }),
  playbooks: procedure.query(({ ctx }) => listPlaybooks(ctx.transport.system, ctx.asked)),
  proposals: procedure.input(inOurWords(proposals.optional())).query(async ({ ctx, input = {} }) => {
    const { proposals: found, nextCursor } = await listProposals(ctx.transport.system, ctx.asked, input);
    return { proposals: found.map(proposalView), nextCursor: nextCursor ?? null };
  }),
  proposal: procedure
    .input(inOurWords(ofProposal))
    .query(async ({ ctx, input }) =>
      proposalInFullView(await getProposal(ctx.transport.system, ctx.asked, input.proposalId)),
    ),
  accept: procedure
    .input(inOurWords(ofProposal.extend(acceptance.shape)))
    .mutation(({ ctx, input: { proposalId, ...said } }) =>
      decideProposal(ctx.transport.system, ctx.asked, proposalId, { word: "accepted", ...said }),
    ),
  refuse: procedure
    .input(inOurWords(ofProposal.extend(refusal.shape)))
    .mutation(({ ctx, input: { proposalId, ...said } }) =>
      decideProposal(ctx.transport.system, ctx.asked, proposalId, { word: "refused", ...said }),
    ),
});
