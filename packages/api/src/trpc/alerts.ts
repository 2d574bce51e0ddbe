import { listAlerts } from "@signalbox/engine";
import { alertPageView } from "../alert-view.ts";
import { inOurWords, pageInput, procedure, router } from "./procedures.ts";

export const alertsRouter = router({
  list: procedure.input(inOurWords(pageInput)).query(async ({ ctx, input = {} }) => {
    const page = await listAlerts(ctx.transport.system, ctx.asked, input);
    return { ...alertPageView(page), nextCursor: page.nextCursor ?? null };
  }),
});
