import { getPack, listPacks } from "@signalbox/engine";
import { z } from "zod";
import { packSummaryView, packView } from "../pack-view.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const page = z.strictObject({
  cursor: z.string().optional(),
  limit: z.number().int().optional(),
  query: z.string().optional(),
});
const name = z.strictObject({ packId: z.string().min(1).max(500), packVersion: z.string().min(1).max(500) });

export const packsRouter = router({
  list: procedure.input(inOurWords(page.optional())).query(async ({ ctx, input = {} }) => {
    const { packs, nextCursor } = await listPacks(ctx.transport.system, ctx.asked, input);
    return { packs: packs.map(packSummaryView), nextCursor: nextCursor ?? null };
  }),
  get: procedure
    .input(inOurWords(name))
    .query(async ({ ctx, input }) => packView(await getPack(ctx.transport.system, ctx.asked, input))),
});
