import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideMemberChange, findMemberFaults, mayLeave, normalEmail } from "./members.ts";

const ada = { email: "ada@example.org", name: "Ada", role: "admin" };

describe("members", () => {
  test.each([
    ["ada@example.org", "ada@example.org"],
    ["  Ada@Example.ORG ", "ada@example.org"],
    ["a+b@c", "a+b@c"],
    ["gro\u0308\u00dfe@example.org", "gr\u00f6\u00dfe@example.org"],
    ["ada", undefined],
    ["ada@", undefined],
    ["a@b@c", undefined],
    ["a b@c.d", undefined],
    ["a\0b@c.d", undefined],
    ["\ud800@c.d", undefined],
    [`${"a".repeat(250)}@b.cd`, undefined],
  ])("MEM-1 %j is compared as %j", (text, email) => {
    expect(normalEmail(text)).toBe(email);
  });

  test("MEM-1 an address once normal stays so", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const email = normalEmail(text);
        fc.pre(email !== undefined);
        expect(normalEmail(email ?? "")).toBe(email);
      }),
    );
  });

  test("MEM-1 every fault is told at once, with the field", () => {
    const faults = findMemberFaults({ email: "nobody", name: " x", role: "agent" });
    expect(faults.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      "email email",
      "name name.fit",
      "role role",
    ]);
    expect(findMemberFaults({ name: "" })[0]).toMatchObject({ rule: "name.length" });
    expect(findMemberFaults({ name: "x".repeat(101) })[0]).toMatchObject({ rule: "name.length" });
    expect(findMemberFaults(ada)).toEqual([]);
  });

  test("MEM-2 the last administrator keeps the role and stays", () => {
    expect(decideMemberChange(ada, { role: "viewer" }, 0)).toEqual({ outcome: "last-administrator" });
    expect(decideMemberChange(ada, { role: "viewer" }, 1)).toMatchObject({ outcome: "changed" });
    expect(decideMemberChange(ada, { name: "Ada L." }, 0)).toMatchObject({ outcome: "changed" });
    expect(decideMemberChange({ ...ada, role: "viewer" }, { role: "admin" }, 0)).toMatchObject({
      outcome: "changed",
    });
    expect([mayLeave(ada, 0), mayLeave(ada, 1), mayLeave({ role: "viewer" }, 0)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("MEM-3 only what differs is changed", () => {
    expect(decideMemberChange(ada, { ...ada, email: "ADA@example.org" }, 3)).toEqual({
      outcome: "unchanged",
    });
    expect(decideMemberChange(ada, {}, 0)).toEqual({ outcome: "unchanged" });
    expect(decideMemberChange(ada, { ...ada, role: "auditor" }, 3)).toEqual({
      outcome: "changed",
      changes: { role: "auditor" },
    });
  });
});
