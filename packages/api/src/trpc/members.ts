import {
  changeMember,
  createMemberLink,
  endMemberSessions,
  inviteMember,
  listMembers,
  nameMembers,
  removeMember,
} from "@signalbox/engine";
import { z } from "zod";
import { linkView, memberView } from "../member-view.ts";
import { invitation, memberWish } from "../rest/members.ts";
import { inOurWords, pageInput, procedure, router } from "./procedures.ts";

const named = z.strictObject({ memberId: z.string().min(1).max(128) });

export const membersRouter = router({
  list: procedure.input(inOurWords(pageInput)).query(async ({ ctx, input = {} }) => {
    const { members, nextCursor } = await listMembers(ctx.transport.system, ctx.asked, input);
    return { members: members.map(memberView), nextCursor: nextCursor ?? null };
  }),
  named: procedure
    .input(inOurWords(z.strictObject({ memberIds: z.array(z.string().max(128)).max(100) })))
    .query(({ ctx, input }) => nameMembers(ctx.transport.system, ctx.asked, input.memberIds)),
  invite: procedure.input(inOurWords(invitation)).mutation(async ({ ctx, input }) => {
    const { member, link } = await inviteMember(ctx.transport.system, ctx.asked, input);
    return { member: memberView(member), invitation: linkView(link, ctx.transport.publicUrl) };
  }),
  change: procedure
    .input(inOurWords(named.extend(memberWish.shape)))
    .mutation(async ({ ctx, input: { memberId, ...wish } }) =>
      memberView(await changeMember(ctx.transport.system, ctx.asked, memberId, wish)),
    ),
  remove: procedure
    .input(inOurWords(named))
    .mutation(({ ctx, input }) => removeMember(ctx.transport.system, ctx.asked, input.memberId)),
  link: procedure.input(inOurWords(named)).mutation(async ({ ctx, input }) => {
    const link = await createMemberLink(ctx.transport.system, ctx.asked, input.memberId);
    return linkView(link, ctx.transport.publicUrl);
  }),
  signOut: procedure
    .input(inOurWords(named))
    .mutation(({ ctx, input }) => endMemberSessions(ctx.transport.system, ctx.asked, input.memberId)),
});
