import {
  drainInstance,
  getInstance,
  listInstances,
  quarantineInstance,
  restoreInstance,
  resumeInstance,
} from "@signalbox/engine";
import { z } from "zod";
import { instanceView } from "../instance-view.ts";
import { draining, quarantining, restoring, resuming } from "../rest/instances.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const named = z.strictObject({ packId: z.string().min(1).max(500), instanceId: z.string().min(1).max(500) });
const page = z.strictObject({
  cursor: z.string().optional(),
  limit: z.number().int().optional(),
  packId: z.string().max(500).optional(),
});

export const instancesRouter = router({
  list: procedure.input(inOurWords(page.optional())).query(async ({ ctx, input = {} }) => {
    const { instances, nextCursor } = await listInstances(ctx.transport.system, ctx.asked, input);
    return { instances: instances.map(instanceView), nextCursor: nextCursor ?? null };
  }),
  get: procedure
    .input(inOurWords(named))
    .query(async ({ ctx, input }) => instanceView(await getInstance(ctx.transport.system, ctx.asked, input))),
  quarantine: procedure
    .input(inOurWords(named.extend(quarantining.shape)))
    .mutation(({ ctx, input }) => quarantineInstance(ctx.transport.system, ctx.asked, input)),
  restore: procedure
    .input(inOurWords(named.extend(restoring.shape)))
    .mutation(({ ctx, input }) => restoreInstance(ctx.transport.system, ctx.asked, input)),
  drain: procedure
    .input(inOurWords(named.extend(draining.shape)))
    .mutation(({ ctx, input }) => drainInstance(ctx.transport.system, ctx.asked, input)),
  resume: procedure
    .input(inOurWords(named.extend(resuming.shape)))
    .mutation(({ ctx, input }) => resumeInstance(ctx.transport.system, ctx.asked, input)),
});
