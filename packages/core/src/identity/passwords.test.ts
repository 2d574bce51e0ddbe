import { describe, expect, test } from "vitest";
import { findPasswordFaults, normalPassword, passwordNeeds } from "./passwords.ts";

const ada = { email: "ada.lovelace@example.org", name: "Ada King Lovelace" };
const rulesOf = (password: string) => findPasswordFaults("password", password, ada).map(({ rule }) => rule);

describe("passwords", () => {
  test.each([
    ["elevenchars", ["password.length"]],
    ["twelve chars", []],
    ["x".repeat(201), ["password.length"]],
    ["correct horse battery staple", []],
    ["aaaaabbbbbccccc", ["password.guessable"]],
    ["Ada.Lovelace@example.org", ["password.guessable"]],
    ["ada king lovelace", ["password.guessable"]],
    ["with\0a zero in it", ["password.fit"]],
    ["half of a pair \ud800", ["password.fit"]],
    ["пароль длинный", []],
  ])("PASS-1 %j: %j", (password, rules) => {
    expect(rulesOf(password)).toEqual(rules);
  });

  test("PASS-1 a character counts once, however many units it takes, and is the same however it is typed", () => {
    expect(rulesOf("🚂🚃🚄🚅🚆🚇")).toEqual(["password.length"]);
    expect(normalPassword("pa\u0308sse")).toBe(normalPassword("p\u00e4sse"));
  });

  const came = { hasPassword: true, hasIdentity: false, method: "password", openSeconds: 10 };
  test.each([
    ["has one", came, "current-password"],
    ["has just come by a link", { ...came, method: "link" }, "nothing"],
    ["came by a link a while ago", { ...came, method: "link", openSeconds: 3_600 }, "current-password"],
    ["has none and no other way in", { ...came, hasPassword: false, openSeconds: 9_000 }, "nothing"],
    ["has just come by OIDC", { ...came, hasPassword: false, hasIdentity: true, method: "oidc" }, "nothing"],
    [
      "came by OIDC a while ago",
      { hasPassword: false, hasIdentity: true, method: "oidc", openSeconds: 900 },
      "sign-in-again",
    ],
    ["came before anybody asked how", { ...came, method: undefined }, "current-password"],
  ])("PASS-2 who %s needs %j first", (_, standing, needs) => {
    expect(passwordNeeds(standing)).toBe(needs);
  });
});
