import {
  changeMember,
  createMemberLink,
  endMemberSessions,
  inviteMember,
  listMembers,
  removeMember,
} from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { linkView, memberView } from "../member-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";
import { listQuery, readQuery } from "./list-query.ts";

type OfMember = { memberId: string };

export const membersQuery = listQuery({});
export const invitation = z.strictObject({ email: z.string(), name: z.string(), role: z.string() });
export const memberWish = invitation.partial();

/** The people of a tenant. An invitation makes a member who may come once, by its link or by OIDC with the address. */
export function memberRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, publicUrl } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/members", async (asked, request) => {
    const { members, nextCursor } = await listMembers(system, asked, readQuery(membersQuery, request.query));
    return { members: members.map(memberView), nextCursor };
  });

  route("POST", "/v1/members", async (asked, request, reply) => {
    const { member, link } = await inviteMember(system, asked, jsonBody(invitation, request.body));
    reply.code(201);
    return { member: memberView(member), invitation: linkView(link, publicUrl) };
  });

  route<OfMember>("PATCH", "/v1/members/:memberId", async (asked, request) =>
    memberView(
      await changeMember(system, asked, request.params.memberId, jsonBody(memberWish, request.body)),
    ),
  );

  route<OfMember>("DELETE", "/v1/members/:memberId", async (asked, request, reply) => {
    await removeMember(system, asked, request.params.memberId);
    return reply.code(204).send();
  });

  route<OfMember>("POST", "/v1/members/:memberId/link", async (asked, request, reply) => {
    const link = await createMemberLink(system, asked, request.params.memberId);
    reply.code(201);
    return linkView(link, publicUrl);
  });

  route<OfMember>("DELETE", "/v1/members/:memberId/sessions", (asked, request) =>
    endMemberSessions(system, asked, request.params.memberId),
  );
}
