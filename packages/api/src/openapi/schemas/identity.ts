import { memberRoles, roles } from "@signalbox/core";
import { z } from "zod";
import { pageOf, time } from "./common.ts";
import { component } from "./component.ts";

const member = z.strictObject({
  memberId: z.string(),
  email: z.string().nullable(),
  name: z.string(),
  role: z.enum(memberRoles),
  hasPassword: z.boolean(),
  hasIdentity: z.boolean().meta({ description: "Whether they have come by the OIDC provider." }),
  createdAt: time,
  createdBy: z.string(),
  lastSignedInAt: time.nullable(),
  invitedUntil: time.nullable().meta({ description: "Until when a link for them can be used." }),
});
export const memberResource = component("Member", member);
export const memberPage = pageOf("MemberPage", "members", memberResource);
export const memberLink = component(
  "MemberLink",
  z.strictObject({
    link: z.string().meta({
      description: "Good once, and shown once. A path of this server where PUBLIC_URL is not set.",
    }),
    expiresAt: time,
  }),
);
export const invited = component(
  "InvitedMember",
  z.strictObject({ member: memberResource, invitation: memberLink }),
);

const keyFields = {
  keyId: z.uuid(),
  prefix: z.string().meta({ description: "The first characters, by which the key is recognised." }),
  label: z.string(),
  role: z.enum(roles),
  packIds: z
    .array(z.string())
    .nullable()
    .meta({ description: "The packs that an agent's key speaks for; null where it is bound to none." }),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable().meta({ description: "To the minute." }),
  revokedAt: time.nullable(),
};
export const keyPage = pageOf("KeyPage", "keys", component("Key", z.strictObject(keyFields)));
export const createdKey = component(
  "CreatedKey",
  z.strictObject({
    ...keyFields,
    secret: z.string().meta({ description: "The key itself, here and nowhere else." }),
  }),
);

export const account = component(
  "Account",
  z.strictObject({
    memberId: z.string(),
    email: z.string().nullable(),
    name: z.string(),
    role: z.enum(memberRoles),
    hasPassword: z.boolean(),
    hasIdentity: z.boolean(),
    passwordNeeds: z
      .enum(["nothing", "current-password", "sign-in-again"])
      .meta({ description: "What must be shown before a password is chosen." }),
  }),
);

export const madeToken = component(
  "MadeToken",
  z.strictObject({
    sessionId: z.uuid().meta({ description: "By which it is ended, as any session is." }),
    label: z.string(),
    token: z.string().meta({ description: "The token itself, here and nowhere else." }),
    expiresAt: time,
  }),
);

export const ownSessions = component(
  "OwnSessions",
  z.strictObject({
    sessions: z.array(
      z.strictObject({
        sessionId: z.uuid(),
        current: z.boolean(),
        method: z.string().nullable(),
        userAgent: z.string().nullable(),
        browser: z.string().nullable().meta({ description: "In short words, as `Firefox on Linux`." }),
        createdAt: time,
        lastSeenAt: time,
        expiresAt: time,
      }),
    ),
  }),
);

export const endedSessions = component("EndedSessions", z.strictObject({ ended: z.int().min(0) }));
