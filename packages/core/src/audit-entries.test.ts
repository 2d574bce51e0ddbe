import { create } from "@bufbuild/protobuf";
import { ActorType, AgentManifestSchema, AuditEventType } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import {
  auditExported,
  keyCreated,
  keyRevoked,
  packRegistered,
  signedOut,
  signInRefused,
  signInLinkCreated,
  tenantCreated,
  type AuditContext,
} from "./audit-entries.ts";
import { signedIn } from "./identity/entries.ts";

const context: AuditContext = {
  tenantId: "north",
  actor: { type: "human", id: "first-admin" },
  requestId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
};
const orchestrator = { version: "1.4.0", capabilitySchema: "^1.0.0" };
const manifest = create(AgentManifestSchema, {
  packId: "qa-engineer",
  packVersion: "1.0.0",
  minOrchestratorVersion: "1.2.0",
});
const entries = {
  packRegistered: packRegistered(context, manifest, orchestrator),
  keyCreated: keyCreated(context, { label: "bootstrap", role: "admin" }),
  keyRevoked: keyRevoked(context, { keyId: "0190b3a8-8f0f-7ccc-8888-0123456789ab", label: "bootstrap" }),
  tenantCreated: tenantCreated(context, { name: "North" }),
  signInLinkCreated: signInLinkCreated(context, { for: context.actor, role: "admin" }),
  signedIn: signedIn(context, "admin", "link"),
  signInRefused: signInRefused(context, "was used before"),
  signedOut: signedOut(context),
};

test("AUD-6 an export is on record, with what was asked for", () => {
  const all = auditExported(context, "");
  expect(all).toMatchObject({ eventType: AuditEventType.AUDIT_EXPORTED, actor: { id: "first-admin" } });
  expect(all.rationale).toContain("all of it");
  expect(auditExported(context, 'packId "painter"').rationale).toContain('packId "painter"');
});

describe("audit entries", () => {
  test.each(Object.entries(entries))("AUD-1 %s names tenant, actor, action and rationale", (_, entry) => {
    expect(entry.tenantId).toBe("north");
    expect(entry.actor).toMatchObject({ type: ActorType.HUMAN, id: "first-admin" });
    expect(entry.action.length).toBeGreaterThan(5);
    expect(entry.rationale.length).toBeGreaterThan(10);
    expect(entry.eventType).toBeGreaterThan(100);
  });

  test("AUD-1 a registered pack is found by its id, and the rationale holds the facts it was admitted on", () => {
    expect(entries.packRegistered).toMatchObject({
      eventType: AuditEventType.PACK_REGISTERED,
      packId: "qa-engineer",
      action: "registered pack qa-engineer 1.0.0",
      rationale:
        "The version was new. It asks for minimum orchestrator version 1.2.0 and no capability schema; " +
        "this orchestrator is 1.4.0 and understands ^1.0.0.",
    });
  });

  test("AUD-1 the types of entries differ from one another", () => {
    expect(new Set(Object.values(entries).map((entry) => entry.eventType)).size).toBe(8);
  });

  test("AUD-4 a tenant's creation names it, as its own first entry", () => {
    expect(entries.tenantCreated).toMatchObject({
      eventType: AuditEventType.TENANT_CREATED,
      action: 'created the tenant north, "North"',
    });
  });

  test("AUD-5 of keys with one label, the revoked one is named by its id", () => {
    expect(entries.keyRevoked).toMatchObject({
      eventType: AuditEventType.KEY_REVOKED,
      action: 'revoked the key "bootstrap" (0190b3a8-8f0f-7ccc-8888-0123456789ab)',
    });
  });

  test("AUD-2 the trace id is the request's id", () => {
    for (const entry of Object.values(entries)) expect(entry.traceId).toBe(context.requestId);
  });

  test("AUD-3 id and time are left to the database", () => {
    for (const entry of Object.values(entries)) {
      expect(entry.auditId).toBe("");
      expect(entry.timestamp).toBeUndefined();
    }
  });
});
