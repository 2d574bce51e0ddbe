import { describe, expect, test } from "vitest";
import { addressGroup, attemptLimits, decideOidcMember } from "./sign-in.ts";

describe("signing in", () => {
  const tried = { tenantId: "north", email: "ada@example.org", address: "192.0.2.1" };

  test("SIGN-1 address, account and the two together are counted apart, each tenant's and account's own", () => {
    const limits = attemptLimits(tried);
    const subjects = (other: Partial<typeof tried>) => {
      const { account, pair, address } = attemptLimits({ ...tried, ...other });
      return [
        account.subject === limits.account.subject,
        pair.subject === limits.pair.subject,
        address.subject === limits.address.subject,
      ];
    };
    expect(subjects({})).toEqual([true, true, true]);
    expect(subjects({ address: "192.0.2.2" })).toEqual([true, false, false]);
    expect(subjects({ email: "grace@example.org" })).toEqual([false, false, true]);
    expect(subjects({ tenantId: "south" })).toEqual([false, false, true]);
    expect(limits.pair.most).toBeLessThan(limits.account.most);
  });

  test("SIGN-1 no text of an account can be another's bucket", () => {
    const one = attemptLimits({ tenantId: "a", email: 'b","c', address: "d" });
    const other = attemptLimits({ tenantId: 'a","b', email: "c", address: "d" });
    expect(one.account.subject).not.toBe(other.account.subject);
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ])("SIGN-1 the address %j counts as %j", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  const claims = {
    issuer: "https://id.example",
    subject: "7",
    email: "ada@example.org",
    emailVerified: true,
  };
  const [ada, grace] = ["ada", "grace"];

  test("SIGN-2 the identity goes before the address", () => {
    const byEmail = { member: grace, invited: true };
    expect(decideOidcMember(claims, { byIdentity: ada, byEmail })).toEqual({ outcome: "known", member: ada });
    expect(decideOidcMember(claims, { byIdentity: undefined, byEmail })).toEqual({
      outcome: "bind",
      member: grace,
    });
  });

  test("SIGN-2 an address that is not verified, not invited, or not there lets nobody in", () => {
    const invited = { byIdentity: undefined, byEmail: { member: grace, invited: true } };
    const nobody = { outcome: "nobody" };
    expect(decideOidcMember({ ...claims, emailVerified: false }, invited)).toEqual(nobody);
    expect(decideOidcMember({ ...claims, email: undefined }, invited)).toEqual(nobody);
    expect(
      decideOidcMember(claims, { byIdentity: undefined, byEmail: { member: grace, invited: false } }),
    ).toEqual(nobody);
    expect(decideOidcMember(claims, { byIdentity: undefined, byEmail: undefined })).toEqual(nobody);
  });
});
