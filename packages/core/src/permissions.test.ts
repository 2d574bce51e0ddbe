import { describe, expect, test } from "vitest";
import { roles, type Caller, type Role } from "./caller.ts";
import { actions, may, type Action, type Subjects } from "./permissions.ts";

const subjects: Subjects = {
  "pack.read": undefined,
  "pack.register": { packId: "senior-ts-dev" },
  "session.close": undefined,
};
const caller = (role: Role, credential: Caller["credential"] = "key"): Caller => ({
  tenantId: "north",
  actor: { type: role === "agent" ? "agent" : "human", id: "someone" },
  role,
  credential,
});
const allowed = (action: Action) =>
  roles.filter((role) => may(caller(role), action, subjects[action]).allowed);

describe("permissions (D15)", () => {
  test("PERM-1 every action is decided for every role, and a refusal gives its reason", () => {
    expect(new Set<string>(actions)).toEqual(new Set(Object.keys(subjects)));
    for (const action of actions) {
      const reasons = roles
        .map((role) => may(caller(role), action, subjects[action]))
        .flatMap((decision) => (decision.allowed ? [] : [decision.reason]));
      expect(reasons.filter((reason) => reason.length < 10)).toEqual([]);
    }
  });

  test("PERM-2 every role reads packs", () => {
    expect(allowed("pack.read")).toEqual(roles);
  });

  test("PERM-3 operators, admins and agents register packs, and nobody else", () => {
    expect(allowed("pack.register")).toEqual(["operator", "admin", "agent"]);
    expect(may(caller("viewer"), "pack.register", subjects["pack.register"])).toEqual({
      allowed: false,
      reason: "registering a pack needs the role operator or admin, or an agent's key",
    });
  });

  test("PERM-4 a session is closed by the person in it, whatever the role, and never by a key", () => {
    expect(allowed("session.close")).toEqual([]);
    const people = roles.filter((role) => may(caller(role, "session"), "session.close", undefined).allowed);
    expect(people).toEqual(roles);
  });
});
