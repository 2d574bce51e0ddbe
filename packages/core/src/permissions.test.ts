import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memberRoles, roles, type Caller, type Role } from "./caller.ts";
import { actions, may, type Action, type Subjects } from "./permissions.ts";

const about = { packId: "senior-ts-dev" };
const subjects: Subjects = {
  "pack.read": undefined,
  "pack.register": about,
  "session.close": undefined,
  "account.change": undefined,
  "token.create": undefined,
  "member.read": undefined,
  "member.invite": undefined,
  "member.change": undefined,
  "member.remove": undefined,
  "key.read": undefined,
  "key.create": undefined,
  "key.revoke": undefined,
  "task.submit": undefined,
  "attachment.keep": undefined,
  "attachment.read": undefined,
  "sap.submit": undefined,
  "sap.read": undefined,
  "sap.rate": undefined,
  "learning.read": undefined,
  "learning.decide": undefined,
  "pipeline.read": undefined,
  "pipeline.pause": undefined,
  "pipeline.resume": undefined,
  "pipeline.abort": undefined,
  "pipeline.rewind": undefined,
  "escalation.read": undefined,
  "escalation.assign": undefined,
  "escalation.comment": undefined,
  "escalation.resolve": undefined,
  "instance.read": undefined,
  "instance.heartbeat": about,
  "instance.quarantine": about,
  "instance.restore": about,
  "instance.drain": about,
  "instance.resume": about,
  "dispatch.lease": about,
  "dispatch.renew": about,
  "dispatch.report": about,
  "policy.read": undefined,
  "policy.draft": undefined,
  "policy.publish": undefined,
  "template.read": undefined,
  "template.draft": undefined,
  "template.publish": undefined,
  "alert.read": undefined,
  "audit.read": undefined,
  "retention.read": undefined,
  "retention.change": undefined,
  "retention.hold": undefined,
  "metrics.read": undefined,
  "trace.read": undefined,
};
const caller = (role: Role, credential: Caller["credential"] = "key"): Caller => ({
  tenantId: "north",
  actor: { type: credential === "session" ? "human" : "system", id: "someone" },
  role,
  credential,
});
const allowed = (action: Action, credential: Caller["credential"] = "session") =>
  roles.filter((role) => may(caller(role, credential), action, subjects[action]).allowed);
/** All that a role may, as a person where people have it and with a key where programs do. */
const granted = (role: Role) =>
  actions.filter((action) => {
    const credential = role === "agent" ? "key" : "session";
    return may(caller(role, credential), action, subjects[action]).allowed;
  });

const reads: Action[] = [
  "attachment.read",
  "sap.read",
  "learning.read",
  "pack.read",
  "member.read",
  "pipeline.read",
  "escalation.read",
  "instance.read",
  "policy.read",
  "template.read",
  "trace.read",
  "metrics.read",
  "alert.read",
];

const own: Action[] = ["session.close", "account.change", "token.create"];

describe("permissions (D15)", () => {
  test("PERM-1 every action is decided for every caller, and a refusal says why in words", () => {
    expect(new Set<string>(actions)).toEqual(new Set(Object.keys(subjects)));
    const callers = fc.record({
      tenantId: fc.constant("north"),
      actor: fc.record({ type: fc.constantFrom("human", "agent", "system"), id: fc.string() }),
      role: fc.constantFrom(...roles),
      credential: fc.constantFrom("key", "session", "token"),
      packIds: fc.option(fc.array(fc.constantFrom("senior-ts-dev", "other")), { nil: undefined }),
    });
    fc.assert(
      fc.property(callers, fc.constantFrom(...actions), (asking, action) => {
        const decision = may(asking, action, subjects[action]);
        if (decision.allowed) return;
        expect(decision.reason).toMatch(/^[a-z',\- ]{10,}$/);
        expect(decision.reason).toMatch(/ needs the role | needs a key |person/);
      }),
      { numRuns: 2_000 },
    );
  });

  test("PERM-2 every role reads packs", () => {
    expect(allowed("pack.read")).toEqual(roles);
    expect(allowed("pack.read", "key")).toEqual(roles);
  });

  test("PERM-3 operators, admins and agents register packs, and nobody else", () => {
    expect(allowed("pack.register")).toEqual(["operator", "admin", "agent"]);
    expect(may(caller("viewer"), "pack.register", subjects["pack.register"])).toEqual({
      allowed: false,
      reason: "registering a pack needs the role operator or admin, or an agent's key",
    });
  });

  test("PERM-4 a session is closed by the person in it, whatever the role, and never by a key", () => {
    expect(allowed("session.close", "key")).toEqual([]);
    expect(allowed("session.close", "session")).toEqual(roles);
  });

  test("PERM-5 a viewer reads all but the audit record, and does nothing", () => {
    expect(new Set(granted("viewer"))).toEqual(new Set([...reads, ...own]));
  });

  test("PERM-6 an operator also registers, submits, keeps attachments, pauses, resumes, aborts, rewinds, drafts, publishes, comments, rates, decides on what was learnt, quarantines, restores, drains and resumes instances", () => {
    expect(new Set(granted("operator"))).toEqual(
      new Set([
        ...granted("viewer"),
        "attachment.keep",
        "pack.register",
        "task.submit",
        "sap.submit",
        "sap.rate",
        "learning.decide",
        "pipeline.pause",
        "pipeline.resume",
        "pipeline.abort",
        "pipeline.rewind",
        "policy.draft",
        "policy.publish",
        "template.draft",
        "template.publish",
        "escalation.comment",
        "instance.quarantine",
        "instance.restore",
        "instance.drain",
        "instance.resume",
      ]),
    );
  });

  test("PERM-7 an approver also assigns, comments on and resolves escalations and rates results; an auditor also reads the audit record and keys, and holds the record", () => {
    expect(new Set(granted("approver"))).toEqual(
      new Set([
        ...granted("viewer"),
        "escalation.assign",
        "escalation.comment",
        "escalation.resolve",
        "sap.rate",
      ]),
    );
    expect(new Set(granted("auditor"))).toEqual(
      new Set([...granted("viewer"), "audit.read", "retention.read", "retention.hold", "key.read"]),
    );
  });

  test("PERM-8 an admin in person may all", () => {
    expect(granted("admin")).toEqual(actions);
  });

  test("PERM-9 an agent registers packs, heartbeats, leases, renews, reports, keeps attachments and submits SAP tasks, and else only reads packs and SAP results", () => {
    expect(new Set(granted("agent"))).toEqual(
      new Set([
        "pack.read",
        "pack.register",
        "attachment.keep",
        "sap.submit",
        "sap.read",
        "instance.heartbeat",
        "dispatch.lease",
        "dispatch.renew",
        "dispatch.report",
      ]),
    );
  });

  test("PERM-10 only a person assigns, comments on or resolves an escalation, rates, decides on what was learnt, says how long the record is kept, holds it, and quarantines or restores an instance, whatever role a key has", () => {
    expect(allowed("escalation.resolve", "key")).toEqual([]);
    for (const action of ["escalation.assign", "escalation.comment"] as const)
      expect(allowed(action, "key")).toEqual([]);
    for (const action of ["instance.quarantine", "instance.restore"] as const)
      expect(allowed(action, "key")).toEqual([]);
    for (const action of ["sap.rate", "learning.decide", "retention.change", "retention.hold"] as const)
      expect(allowed(action, "key")).toEqual([]);
    expect(may(caller("admin"), "escalation.resolve", undefined)).toEqual({
      allowed: false,
      reason: "answering an escalation is for a person, signed in as themselves",
    });
    expect(may(caller("viewer"), "escalation.resolve", undefined)).toEqual({
      allowed: false,
      reason: "resolving an escalation needs the role approver or admin",
    });
  });

  test("PERM-11 a key that is bound to packs speaks for them and for no other; one that is not, for any", () => {
    const bound: Caller = { ...caller("agent"), packIds: ["senior-ts-dev", "qa"] };
    const ofPacks = [
      "pack.register",
      "instance.heartbeat",
      "dispatch.lease",
      "dispatch.renew",
      "dispatch.report",
    ] as const;
    const boundOperator: Caller = { ...caller("operator"), packIds: ["qa"] };
    for (const action of ["instance.drain", "instance.resume"] as const) {
      expect(may(boundOperator, action, { packId: "qa" })).toEqual({ allowed: true });
      expect(may(boundOperator, action, { packId: "other" })).toMatchObject({ allowed: false });
    }
    for (const action of ofPacks) {
      expect(may(bound, action, { packId: "qa" })).toEqual({ allowed: true });
      expect(may(caller("agent"), action, { packId: "any" })).toEqual({ allowed: true });
      for (const packId of ["other", "", "QA"]) {
        expect(may(bound, action, { packId })).toMatchObject({ allowed: false });
      }
      expect(may({ ...bound, packIds: [] }, action, about)).toMatchObject({ allowed: false });
    }
    expect(may(bound, "dispatch.lease", { packId: "other" })).toEqual({
      allowed: false,
      reason: "leasing work needs a key that is bound to this pack, or to none",
    });
  });

  test("PERM-12 members are managed by an administrator in person, keys also by an administrator's key, accounts by oneself", () => {
    for (const action of ["member.invite", "member.change", "member.remove"] as const) {
      expect(allowed(action)).toEqual(["admin"]);
      expect(allowed(action, "key")).toEqual([]);
    }
    for (const action of ["key.create", "key.revoke"] as const) {
      expect(allowed(action)).toEqual(["admin"]);
      expect(allowed(action, "key")).toEqual(["admin"]);
    }
    expect(allowed("account.change")).toEqual(memberRoles);
    expect(allowed("account.change", "key")).toEqual([]);
  });
});
