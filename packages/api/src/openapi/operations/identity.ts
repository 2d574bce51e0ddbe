import { accountWish, tokenWish } from "../../rest/account.ts";
import { keysQuery, keyWish } from "../../rest/keys.ts";
import { invitation, membersQuery, memberWish } from "../../rest/members.ts";
import { oidcQuery } from "../../rest/oidc.ts";
import { keyId, memberId, packId, sessionId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import {
  account,
  createdKey,
  endedSessions,
  invited,
  keyPage,
  memberLink,
  memberPage,
  memberResource,
  ownSessions,
  madeToken,
} from "../schemas/identity.ts";

const ofMember = { memberId: { description: "The member.", example: memberId } };
const byPerson = "An administrator's part in person: a key cannot.";

export const identityOperations: Operations = {
  "GET /v1/members": {
    id: "listMembers",
    tag: "Members",
    summary: "List members, by name",
    access: { action: "member.read" },
    query: membersQuery,
    exampleQuery: { limit: "10" },
    answers: { 200: { description: "A page.", schema: memberPage } },
  },
  "POST /v1/members": {
    id: "inviteMember",
    tag: "Members",
    summary: "Invite somebody",
    description: `${byPerson} The link is handed on by whoever asked for it; it is good for a week.`,
    access: { action: "member.invite" },
    body: { schema: invitation, example: { email: "grace@example.org", name: "Grace", role: "operator" } },
    answers: { 201: { description: "They may come.", schema: invited } },
    refuses: ["INVALID_STATE"],
    repeated: { safeBecause: "an address is invited once; another link is asked for by itself" },
  },
  "PATCH /v1/members/:memberId": {
    id: "changeMember",
    tag: "Members",
    summary: "Change a member's role, name or address",
    description: `${byPerson} A role holds at once, in sessions that are open too.`,
    access: { action: "member.change" },
    path: ofMember,
    body: { schema: memberWish, example: { role: "approver" } },
    answers: { 200: { description: "The member as they are now.", schema: memberResource } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
  },
  "DELETE /v1/members/:memberId": {
    id: "removeMember",
    tag: "Members",
    summary: "Remove a member, and end their sessions",
    description: byPerson,
    access: { action: "member.remove" },
    path: ofMember,
    answers: { 204: { description: "They are a member no longer." } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
  },
  "POST /v1/members/:memberId/link": {
    id: "createMemberLink",
    tag: "Members",
    summary: "Make a new link for a member: for who lost theirs, or their password",
    description: byPerson,
    access: { action: "member.change" },
    path: ofMember,
    answers: { 201: { description: "It takes the place of earlier ones.", schema: memberLink } },
    refuses: ["NOT_FOUND"],
    repeated: { safeBecause: "a new link takes the place of the earlier one" },
  },
  "DELETE /v1/members/:memberId/sessions": {
    id: "endMemberSessions",
    tag: "Members",
    summary: "Sign a member out everywhere",
    description: byPerson,
    access: { action: "member.change" },
    path: ofMember,
    answers: { 200: { description: "How many sessions ended.", schema: endedSessions } },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/keys": {
    id: "listKeys",
    tag: "Keys",
    summary: "List keys, the newest first",
    access: { action: "key.read" },
    query: keysQuery,
    exampleQuery: { limit: "10" },
    answers: { 200: { description: "A page, without what opens anything.", schema: keyPage } },
  },
  "POST /v1/keys": {
    id: "createKey",
    tag: "Keys",
    summary: "Make a key for a program or an agent",
    description: "An agent's key names the packs that it speaks for, and is refused for any other.",
    access: { action: "key.create" },
    body: {
      schema: keyWish,
      example: { label: "runner-7", role: "agent", packIds: [packId], expiresInDays: 90 },
    },
    answers: { 201: { description: "The key, and its secret this once.", schema: createdKey } },
    repeated: {
      safeBecause: "a secret is never kept to be given again: a repeated request makes another key",
    },
  },
  "DELETE /v1/keys/:keyId": {
    id: "revokeKey",
    tag: "Keys",
    summary: "Revoke a key",
    access: { action: "key.revoke" },
    path: { keyId: { description: "The key.", example: keyId } },
    answers: { 204: { description: "It opens nothing from the next request on." } },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/account": {
    id: "getAccount",
    tag: "Account",
    summary: "Who one is, and how one signs in",
    access: { action: "account.change" },
    answers: { 200: { description: "The account.", schema: account } },
  },
  "PATCH /v1/account": {
    id: "changeAccount",
    tag: "Account",
    summary: "Set up or change one's own account",
    description:
      "A new password ends every other session and renews this one. An address is set once; later an administrator changes it.",
    access: { action: "account.change" },
    body: {
      schema: accountWish,
      example: { name: "Ada", email: "ada@example.org", password: "correct horse battery" },
    },
    answers: { 200: { description: "The account as it is now.", schema: account } },
    refuses: ["INVALID_STATE", "RATE_LIMITED"],
  },
  "GET /v1/sessions": {
    id: "listOwnSessions",
    tag: "Account",
    summary: "Where one is signed in",
    access: { action: "session.close" },
    answers: { 200: { description: "The newest first.", schema: ownSessions } },
  },
  "POST /v1/sessions": {
    id: "createToken",
    tag: "Account",
    summary: "Make a token with which a program speaks for one over MCP",
    description:
      "It has one's own role, for 1 to 12 hours (8 where nothing is said), at POST /mcp and nowhere else. It stands in the list of sessions and is ended there.",
    access: { action: "token.create" },
    body: { schema: tokenWish, example: { label: "my editor", expiresInHours: 4 } },
    answers: { 201: { description: "The token, this once.", schema: madeToken } },
    refuses: ["INVALID_STATE"],
    repeated: {
      safeBecause:
        "a token is never kept to be given again: a repeated request makes another one, and ten are the most",
    },
  },
  "DELETE /v1/sessions/:sessionId": {
    id: "endOwnSession",
    tag: "Account",
    summary: "Sign out somewhere else",
    access: { action: "session.close" },
    path: { sessionId: { description: "The session.", example: sessionId } },
    answers: { 204: { description: "It has ended." } },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/session/oidc": {
    id: "beginOidc",
    tag: "Session",
    summary: "Go to the OIDC provider",
    description: "For a browser, which comes back to the callback.",
    access: "open",
    query: oidcQuery,
    answers: { 303: { description: "To the provider.", headers: { location: "Where it asks who one is." } } },
  },
  "GET /v1/session/oidc/callback": {
    id: "finishOidc",
    tag: "Session",
    summary: "Come back from the OIDC provider",
    access: "open",
    answers: {
      303: { description: "Signed in, or back to the sign-in page.", headers: { location: "Where to." } },
    },
  },
};
