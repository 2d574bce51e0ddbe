import { activityRanges } from "@signalbox/core";
import { readActivity } from "@signalbox/engine";
import { z } from "zod";
import { inOurWords, procedure, router } from "./procedures.ts";

const ofRange = z.strictObject({ range: z.enum(activityRanges) });

export const metricsRouter = router({
  activity: procedure.input(inOurWords(ofRange)).query(async ({ ctx, input }) => {
    const { spans, activity, completed } = await readActivity(ctx.transport.system, ctx.asked, input.range);
    return { ...spans, activity, completed };
  }),
});
