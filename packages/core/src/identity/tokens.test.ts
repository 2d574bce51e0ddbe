import { AuditEventType } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { may } from "../permissions.ts";
import { tokenIssued, tokenWithdrawn } from "./entries.ts";
import { findTokenFaults } from "./tokens.ts";

const faultsOf = (wish: Parameters<typeof findTokenFaults>[0]) =>
  findTokenFaults(wish).map(({ field, rule }) => `${field} ${rule}`);

test("TOKEN-1 a label that can be read, and an end within twelve hours", () => {
  expect(faultsOf({ label: "my editor" })).toEqual([]);
  expect(faultsOf({ label: "my editor", expiresInHours: 12 })).toEqual([]);
  expect(faultsOf({ label: "", expiresInHours: 13 })).toEqual(["label name.length", "expiresInHours range"]);
  for (const expiresInHours of [0, -1, 1.5, Number.NaN])
    expect(faultsOf({ label: "x", expiresInHours })).toEqual(["expiresInHours range"]);
});

test("TOKEN-2 D15 it answers as its person does, and changes neither account, sessions nor tokens", () => {
  const person = { tenantId: "any", actor: { type: "human", id: "ada" }, role: "approver" } as const;
  const token = { ...person, credential: "token" } as const;
  expect(may(token, "escalation.resolve", undefined).allowed).toBe(true);
  for (const action of ["account.change", "session.close", "token.create"] as const) {
    expect(may({ ...person, credential: "session" }, action, undefined).allowed).toBe(true);
    expect(may(token, action, undefined).allowed).toBe(false);
    expect(may({ ...person, credential: "key" }, action, undefined).allowed).toBe(false);
  }
});

test("TOKEN-3 it is on record whose it is, what it is called and when it ends, and that it was revoked", () => {
  const context = { tenantId: "north", actor: { type: "human", id: "ada" }, requestId: "r-1" } as const;
  const sessionId = "0190a1b2-0000-7000-8000-000000000001";
  const made = tokenIssued(context, { label: "my editor", sessionId, expiresAt: new Date(0) });
  expect(made).toMatchObject({
    eventType: AuditEventType.KEY_CREATED,
    action: expect.stringContaining(`"my editor" (${sessionId})`),
    rationale: expect.stringContaining("1970-01-01T00:00:00.000Z"),
  });
  expect(tokenWithdrawn(context, sessionId)).toMatchObject({
    eventType: AuditEventType.KEY_REVOKED,
    action: `revoked their token ${sessionId}`,
  });
});
