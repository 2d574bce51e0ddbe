import { listAlerts } from "@signalbox/engine";
import { alertView } from "../alert-view.ts";
import { pageInput, procedure, router } from "./procedures.ts";

export const alertsRouter = router({
  list: procedure.input(pageInput).query(async ({ ctx, input = {} }) => {
    const { alerts, nextCursor } = await listAlerts(ctx.transport.system, ctx.asked, input);
    return { alerts: alerts.map(alertView), nextCursor: nextCursor ?? null };
  }),
});
