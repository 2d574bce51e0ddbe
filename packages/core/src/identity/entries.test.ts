import { AuditEventType } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import {
  firstMemberAdded,
  identityBound,
  keyIssued,
  keyWithdrawn,
  memberChanged,
  memberInvited,
  memberLinkCreated,
  memberRemoved,
  memberSignedOut,
  passwordChosen,
  passwordOrIdentityRefused,
  signedIn,
  unknownPerson,
} from "./entries.ts";

const context = {
  tenantId: "north",
  actor: { type: "human", id: "0190-admin" },
  requestId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
} as const;
const ada = { memberId: "0190-ada", name: 'Ada "A"', role: "operator" } as const;

describe("the record of members, keys and sign-ins", () => {
  test("MEM-4 members stand there by id and name, and no address does", () => {
    const entries = [
      memberInvited(context, ada),
      firstMemberAdded(context, ada),
      memberChanged(context, ada, { role: "admin", email: "ada@example.org" }),
      passwordChosen(context, ada, 1),
      identityBound(context, ada, "https://id.example"),
      memberRemoved(context, ada, 2),
      memberSignedOut(context, ada, 0),
      memberLinkCreated(context, ada),
    ];
    for (const entry of entries) {
      expect(entry.action).toContain('"Ada \\"A\\"" (0190-ada)');
      expect(entry.rationale.length).toBeGreaterThan(10);
      expect(entry.action + entry.rationale).not.toContain("@");
    }
    expect(entries[2]?.action).toContain("role operator to admin, address");
    expect(entries[3]?.rationale).toContain("One session ended");
    const byThemselves = { ...context, actor: { type: "human", id: ada.memberId } as const };
    expect(memberChanged(byThemselves, ada, { name: "Ada" }).rationale).toBe("The member asked for it.");
  });

  test("KEY-3 a key's creation names what it may, and until when", () => {
    const key = { keyId: "0190-key", label: "ci", role: "agent", packIds: ["qa", "dev"] } as const;
    const expiresAt = new Date("2027-01-31T00:00:00Z");
    expect(keyIssued(context, { ...key, expiresAt })).toMatchObject({
      eventType: AuditEventType.KEY_CREATED,
      action: 'created the key "ci" (0190-key) with role agent',
      rationale:
        'An administrator asked for it. It speaks for "qa", "dev" and ends at 2027-01-31T00:00:00.000Z.',
    });
    const open = keyIssued(context, { ...key, packIds: undefined, expiresAt: undefined });
    expect(open.rationale).toContain("is bound to no pack and has no end");
    expect(keyWithdrawn(context, key)).toMatchObject({ eventType: AuditEventType.KEY_REVOKED });
  });

  test("SIGN-3 the way is told, and a refusal says the same whether the account is there or not", () => {
    const ways = (["link", "password", "oidc"] as const).map((way) => signedIn(context, "admin", way));
    expect(new Set(ways.map(({ rationale }) => rationale)).size).toBe(3);
    expect(ways[1]?.action).toBe("signed in with role admin by password");
    const known = passwordOrIdentityRefused(context, "password");
    const unknown = passwordOrIdentityRefused({ ...context, actor: unknownPerson }, "password");
    expect(known.rationale).toBe(unknown.rationale);
    expect(unknown.actor?.id).toBe("unknown");
  });
});
