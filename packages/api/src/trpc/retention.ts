import { changeRetention, getRetention, placeHold, releaseHold } from "@signalbox/engine";
import { z } from "zod";
import { holding, retentionWish } from "../rest/retention.ts";
import { holdView, retentionView } from "../retention-view.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const ofHold = z.strictObject({ holdId: z.string().min(1).max(200) });

export const retentionRouter = router({
  get: procedure.query(async ({ ctx }) => retentionView(await getRetention(ctx.transport.system, ctx.asked))),
  change: procedure
    .input(inOurWords(retentionWish))
    .mutation(async ({ ctx, input }) =>
      retentionView(await changeRetention(ctx.transport.system, ctx.asked, input)),
    ),
  hold: procedure
    .input(inOurWords(holding))
    .mutation(async ({ ctx, input }) => holdView(await placeHold(ctx.transport.system, ctx.asked, input))),
  release: procedure
    .input(inOurWords(ofHold.extend(holding.shape)))
    .mutation(async ({ ctx, input: { holdId, ...said } }) =>
      holdView(await releaseHold(ctx.transport.system, ctx.asked, holdId, said)),
    ),
});
