import { createKey, listKeys, revokeKey } from "@signalbox/engine";
import { z } from "zod";
import { keyView } from "../member-view.ts";
import { keyWish } from "../rest/keys.ts";
import { inOurWords, pageInput, procedure, router } from "./procedures.ts";

export const keysRouter = router({
  list: procedure.input(inOurWords(pageInput)).query(async ({ ctx, input = {} }) => {
    const { keys, nextCursor } = await listKeys(ctx.transport.system, ctx.asked, input);
    return { keys: keys.map(keyView), nextCursor: nextCursor ?? null };
  }),
  create: procedure.input(inOurWords(keyWish)).mutation(async ({ ctx, input }) => {
    const { key, secret } = await createKey(ctx.transport.system, ctx.asked, input);
    return { ...keyView(key), secret };
  }),
  revoke: procedure
    .input(inOurWords(z.strictObject({ keyId: z.string().max(128) })))
    .mutation(({ ctx, input }) => revokeKey(ctx.transport.system, ctx.asked, input.keyId)),
});
