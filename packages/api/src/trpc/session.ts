import { sessionView } from "../session-view.ts";
import { publicProcedure, router } from "./procedures.ts";

export const sessionRouter = router({
  current: publicProcedure.query(async ({ ctx }) => {
    const caller = await ctx.transport.identification.callerOf(ctx.request);
    return caller === undefined ? null : sessionView(caller);
  }),
});
