import { createToken, endOwnSession, getAccount, listOwnSessions } from "@signalbox/engine";
import { z } from "zod";
import { madeTokenView, ownSessionView } from "../member-view.ts";
import { tokenWish } from "../rest/account.ts";
import { sessionView } from "../session-view.ts";
import { inOurWords, procedure, publicProcedure, router } from "./procedures.ts";

export const sessionRouter = router({
  current: publicProcedure.query(async ({ ctx }) => {
    const caller = await ctx.transport.identification.callerOf(ctx.request);
    return caller === undefined ? null : sessionView(caller);
  }),
  /** The ways in, as the sign-in page shows them to whoever comes. */
  ways: publicProcedure.query(({ ctx }) => ({ oidc: ctx.transport.identityProvider !== undefined })),
  account: procedure.query(({ ctx }) => {
    const token = ctx.transport.identification.sessionTokenOf(ctx.request);
    return getAccount(ctx.transport.system, ctx.asked, token ?? "");
  }),
  list: procedure.query(async ({ ctx }) =>
    (await listOwnSessions(ctx.transport.system, ctx.asked)).map(ownSessionView),
  ),
  createToken: procedure
    .input(inOurWords(tokenWish))
    .mutation(async ({ ctx, input }) =>
      madeTokenView(await createToken(ctx.transport.system, ctx.asked, input)),
    ),
  end: procedure
    .input(inOurWords(z.strictObject({ sessionId: z.string().max(128) })))
    .mutation(({ ctx, input }) => endOwnSession(ctx.transport.system, ctx.asked, input.sessionId)),
});
