import {
  eventTypes,
  getAttempt,
  listAttempts,
  readAttemptEvents,
  readAttemptTurns,
  readConfidences,
  readTrace,
} from "@signalbox/engine";
import { z } from "zod";
import {
  attemptEventsView,
  attemptSummaryView,
  attemptTurnsView,
  attemptView,
  confidenceView,
} from "../attempt-view.ts";
import { traceView } from "../pipeline-view.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const ofPipeline = z.strictObject({ pipelineId: z.string().min(1).max(128) });
const ofAttempt = z.strictObject({ dispatchId: z.string().min(1).max(128) });
/** Of an event within its attempt; `sequence` may be one before the first, to begin at a turn. */
const count = z.int32().min(0);
const eventsOf = ofAttempt.extend({
  direction: z.enum(["newer", "older"]),
  than: z.strictObject({ turnIndex: count, sequence: z.int32().min(-1) }).optional(),
  types: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).optional(),
});

/** One pipeline in depth, as its page reads it. */
export const pipelineDetailRouter = router({
  attempts: procedure.input(inOurWords(ofPipeline)).query(async ({ ctx, input }) => ({
    attempts: (await listAttempts(ctx.transport.system, ctx.asked, input.pipelineId)).map(attemptSummaryView),
  })),
  attempt: procedure
    .input(inOurWords(ofAttempt))
    .query(async ({ ctx, input }) =>
      attemptView(await getAttempt(ctx.transport.system, ctx.asked, input.dispatchId)),
    ),
  turns: procedure
    .input(
      inOurWords(ofAttempt.extend({ after: count.optional(), newest: z.int().min(1).max(50).optional() })),
    )
    .query(async ({ ctx, input }) =>
      attemptTurnsView(await readAttemptTurns(ctx.transport.system, ctx.asked, input)),
    ),
  confidences: procedure.input(inOurWords(ofAttempt)).query(async ({ ctx, input }) => ({
    confidences: (await readConfidences(ctx.transport.system, ctx.asked, input.dispatchId)).map(
      confidenceView,
    ),
  })),
  events: procedure
    .input(inOurWords(eventsOf))
    .query(async ({ ctx, input }) =>
      attemptEventsView(await readAttemptEvents(ctx.transport.system, ctx.asked, input)),
    ),
  trace: procedure
    .input(inOurWords(ofPipeline))
    .query(async ({ ctx, input }) =>
      traceView(await readTrace(ctx.transport.system, ctx.asked, input.pipelineId)),
    ),
});
