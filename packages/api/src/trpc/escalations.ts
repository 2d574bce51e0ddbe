import {
  assignEscalation,
  commentOnEscalation,
  countEscalations,
  getEscalation,
  listEscalations,
  resolveEscalation,
} from "@signalbox/engine";
import { z } from "zod";
import {
  assigneeOf,
  assigning,
  causeParameter,
  commenting,
  orderParameter,
  timelinessParameter,
} from "../escalation-search.ts";
import { commentView, escalationInFull, escalationResource } from "../escalation-view.ts";
import { answerBody, resolutionOf } from "../rest/resolution.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const named = z.strictObject({ escalationId: z.string().min(1).max(200) });
const name = z.string().max(500).optional();
const search = z.strictObject({
  cursor: z.string().optional(),
  limit: z.number().int().optional(),
  open: z.boolean().optional(),
  cause: causeParameter,
  packId: name,
  pipelineId: name,
  assignee: name,
  timeliness: timelinessParameter,
  order: orderParameter,
  q: z.string().optional(),
});

export const escalationsRouter = router({
  list: procedure.input(inOurWords(search.optional())).query(async ({ ctx, input = {} }) => {
    const { assignee, q, ...page } = input;
    const wanted = { ...page, query: q, assigneeId: assigneeOf(assignee) };
    const { escalations, nextCursor } = await listEscalations(ctx.transport.system, ctx.asked, wanted);
    return { escalations: escalations.map(escalationResource), nextCursor: nextCursor ?? null };
  }),
  waiting: procedure.query(({ ctx }) => countEscalations(ctx.transport.system, ctx.asked)),
  get: procedure
    .input(inOurWords(named))
    .query(async ({ ctx, input }) =>
      escalationInFull(await getEscalation(ctx.transport.system, ctx.asked, input.escalationId)),
    ),
  assign: procedure
    .input(inOurWords(named.extend(assigning.shape)))
    .mutation(({ ctx, input: { escalationId, assignee, instead } }) =>
      assignEscalation(ctx.transport.system, ctx.asked, escalationId, { assigneeId: assignee, instead }),
    ),
  comment: procedure
    .input(inOurWords(named.extend(commenting.shape)))
    .mutation(async ({ ctx, input: { escalationId, comment } }) =>
      commentView(await commentOnEscalation(ctx.transport.system, ctx.asked, escalationId, comment)),
    ),
  resolve: procedure
    .input(inOurWords(named.extend(answerBody.shape)))
    .mutation(({ ctx, input: { escalationId, ...body } }) => {
      const answer = { resolution: resolutionOf(body), comment: body.comment };
      return resolveEscalation(ctx.transport.system, ctx.asked, escalationId, answer);
    }),
});
