import { expect, test } from "vitest";
import type { Caller } from "../caller.ts";
import { mayAskAgain, mayIssue } from "./issuer.ts";
import { capabilityRule } from "./testing/task.ts";

const caller = (said: Partial<Caller>): Caller => ({
  tenantId: "north",
  actor: { type: "human", id: "ada" },
  role: "operator",
  credential: "key",
  ...said,
});

const user = { agentKind: "user", agentId: "ada" } as const;
const prime = { agentKind: "agent", agentId: "prime" } as const;
const gateway = { agentKind: "system", agentId: "gateway" } as const;
const open = capabilityRule();

const listing = capabilityRule({
  issuers: [
    { agentKind: "agent", agentId: "prime" },
    { agentKind: "system", agentId: undefined },
  ],
});

const speakers: [string, Partial<Caller>, Parameters<typeof mayIssue>[1], boolean][] = [
  ["a person as themselves", { credential: "session" }, user, true],
  ["a person as another", { credential: "session" }, { ...user, agentId: "bob" }, false],
  ["a person as an agent", { credential: "session" }, prime, false],
  ["an operator's key as whoever it carries for", {}, prime, true],
  ["a bound key as its pack", { packIds: ["prime"] }, prime, true],
  ["a bound key as another pack", { packIds: ["second"] }, prime, false],
  ["a bound key as a user", { packIds: ["ada"] }, user, false],
  ["an agent's key as the system", { role: "agent" }, gateway, false],
];

test.each(speakers)("SAP-4 the credential says who speaks: %s", (_what, said, issuer, allowed) => {
  expect(mayIssue(caller(said), issuer, open).allowed).toBe(allowed);
});

test("SAP-5 an agent issues only where the policy names it; people and their keys where it names nobody", () => {
  const agent = caller({ role: "agent", packIds: ["prime"] });
  expect(mayIssue(agent, prime, open)).toMatchObject({
    allowed: false,
    reason: expect.stringContaining("names it as an issuer"),
  });
  expect(mayIssue(agent, prime, listing).allowed).toBe(true);
  expect(mayIssue(caller({}), gateway, listing).allowed).toBe(true);
  expect(mayIssue(caller({ credential: "session" }), user, listing)).toEqual({
    allowed: false,
    reason: 'the policy does not name user "ada" as an issuer of "consult"',
  });
});

test("SAP-16 a task on file is told to its issuer who may read it: to an agent only what it submitted itself", () => {
  const agent = caller({ role: "agent", actor: { type: "agent", id: "k1" }, packIds: ["prime"] });
  expect(mayAskAgain(agent, prime, "k1")).toBe(true);
  expect(mayAskAgain(agent, prime, "k2")).toBe(false);
  expect(mayAskAgain(agent, gateway, "k1")).toBe(false);
  expect(mayAskAgain(caller({}), prime, "k2")).toBe(true);
  expect(mayAskAgain(caller({ credential: "session" }), prime, "ada")).toBe(false);
});
