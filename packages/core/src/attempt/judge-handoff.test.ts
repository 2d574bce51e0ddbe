import { expect, test } from "vitest";
import { noPolicy } from "../documents/no-policy.ts";
import type { RoutingPolicy } from "../documents/routing-policy.ts";
import { type HandoffAsked, judgeHandoff } from "./judge-handoff.ts";

const route = (taskType: string, allowedPackIds: string[], fallbackPackId?: string | null) => ({
  taskType,
  allowedPackIds,
  preferredPackId: undefined,
  minRiskTier: undefined,
  fallbackPackId,
});
const routes = [
  route("build", ["dev", "smith@^1.0.0"]),
  route("review", ["dev", "critic"], "arbiter"),
  route("deploy", ["pilot"], null),
];
const rule = { taskTypes: undefined, packIds: undefined, toTaskTypes: [], toPackIds: [] };
const policyOf = (handoffs?: RoutingPolicy["handoffs"]): RoutingPolicy => ({
  ...noPolicy,
  version: "1.2.0",
  routes,
  defaults: { ...noPolicy.defaults, fallbackPackId: "generalist" },
  ...(handoffs === undefined ? {} : { handoffs }),
});
const toPack = (packId: string) => ({ taskType: null, packId });
const toType = (taskType: string) => ({ taskType, packId: null });
const asked = (more: Partial<HandoffAsked>): HandoffAsked => ({
  packId: "dev",
  taskType: "build",
  to: toPack("smith"),
  ...more,
});

test("HAND-4 D24 without a section nobody may, and with one who and whither one of its rules names", () => {
  const rules = [
    { ...rule, taskTypes: ["build"], packIds: ["dev"], toPackIds: ["smith"] },
    { ...rule, toTaskTypes: ["review"] },
  ];
  const verdict = (more: Partial<HandoffAsked>) => judgeHandoff(policyOf(rules), asked(more));
  expect(verdict({})).toEqual({ allowed: true, why: "Rule 1 of the handoffs of policy 1.2.0 allows it" });
  expect(verdict({ packId: "critic", taskType: "deploy", to: toType("review") })).toEqual({
    allowed: true,
    why: "Rule 2 of the handoffs of policy 1.2.0 allows it",
  });
  for (const other of [
    { packId: "generalist" },
    { taskType: "review", to: toPack("critic") },
    { to: toType("deploy") },
    { to: { taskType: "review", packId: "critic" } },
  ])
    expect(verdict(other)).toMatchObject({ allowed: false, why: expect.stringContaining("No rule") });
  expect(judgeHandoff(policyOf(), asked({}))).toMatchObject({ allowed: false });
  expect(judgeHandoff(policyOf([]), asked({}))).toMatchObject({ allowed: false });
});

test("HAND-5 what leads nowhere, or back to who asks, is refused whatever the rules say", () => {
  const everything = {
    ...rule,
    toTaskTypes: ["build", "review", "deploy", "unrouted"],
    toPackIds: ["dev", "smith", "critic", "pilot", "arbiter", "generalist"],
  };
  const why = (more: Partial<HandoffAsked>) => {
    const verdict = judgeHandoff(policyOf([everything]), asked(more));
    return verdict.allowed ? "allowed" : verdict.why;
  };
  expect(why({ to: toPack("dev") })).toContain("at work on it already");
  expect(why({ to: toType("build") })).toContain("already");
  expect(why({ to: toPack("pilot") })).toContain("does not lead to pilot");
  expect(why({ to: { taskType: "deploy", packId: "dev" } })).toContain("does not lead to dev");
  expect(why({ to: toType("unrouted") })).toContain("no route for unrouted");
  expect(why({ to: { taskType: null, packId: null } })).toContain("nobody");
  // A pin names the pack, and a fallback is a way too: the route's own, or the default's where it says nothing (D23).
  expect(why({ to: toPack("smith") })).toBe("allowed");
  expect(why({ to: toPack("generalist") })).toBe("allowed");
  expect(why({ to: { taskType: "review", packId: "arbiter" } })).toBe("allowed");
  expect(why({ to: { taskType: "review", packId: "generalist" } })).toContain("does not lead");
  expect(why({ to: { taskType: "deploy", packId: "generalist" } })).toContain("does not lead");
  expect(why({ to: { taskType: "review", packId: "dev" } })).toBe("allowed");
});
