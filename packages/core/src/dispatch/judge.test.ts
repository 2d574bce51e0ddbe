import { HealthStatus, RiskTier } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { decideDispatch } from "./decide-dispatch.ts";
import type { InstanceFacts } from "./registry-facts.ts";
import { ab, chosen, compile } from "./testing/decisions.ts";
import { admission, instance, manifest, NOW, policy, request, route } from "./testing/registry.ts";

const interfaceWith = (init: object) => ({
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
    ...init,
  },
});

describe("the compatibility gate", () => {
  const only = policy([route("build", ["a"], { fallbackPackId: null })]);
  const decide = (init: Parameters<typeof manifest>[1], asked = request(), rules = only) =>
    chosen([instance("a", "1")], rules, asked, [manifest("a", init)]);
  test.each<[string, string[], boolean]>([
    ["the version itself", ["1.2.0"], true],
    ["a caret range", ["^1.0.0"], true],
    ["a tilde range of it", ["~1.2.0"], true],
    ["one of several", ["^0.9.0", "1.2.0"], true],
    ["another minor version", ["1.1.0"], false],
    ["a later one", ["^1.3.0"], false],
    ["another major one", ["^2.0.0"], false],
    ["nothing", [], false],
  ])("DSP-10: the pack speaks %s", (_, supportedSchemaVersions, passes) => {
    expect(decide(interfaceWith({ supportedSchemaVersions }))).toBe(
      passes ? "a/1" : "escalate: no-compatible-pack",
    );
  });

  test.each([
    ["", true],
    ["1.4.0", true],
    ["1.4.1", false],
    ["1.4.0-rc.1", true],
  ])("DSP-11: the pack needs orchestrator %j", (minOrchestratorVersion, passes) => {
    expect(decide({ minOrchestratorVersion })).toBe(passes ? "a/1" : "escalate: no-compatible-pack");
  });

  test.each<[RiskTier, RiskTier, string[], boolean]>([
    [RiskTier.NORMAL, RiskTier.NORMAL, ["RISK_TIER_NORMAL"], true],
    [RiskTier.NORMAL, RiskTier.LOW, ["RISK_TIER_NORMAL"], false],
    [RiskTier.NORMAL, RiskTier.CRITICAL, ["RISK_TIER_CRITICAL"], false],
    [RiskTier.LOW, RiskTier.CRITICAL, ["RISK_TIER_LOW"], true],
    [RiskTier.CRITICAL, RiskTier.UNSPECIFIED, ["RISK_TIER_CRITICAL"], false],
  ])(
    "DSP-12 (D4): tier %d, trusted to %d, accepting %j",
    (riskTier, safetyTier, acceptedRiskTiers, passes) => {
      const found = decide({ safetyTier, ...interfaceWith({ acceptedRiskTiers }) }, request({ riskTier }));
      expect(found).toBe(passes ? "a/1" : "escalate: no-compatible-pack");
    },
  );

  test.each<[RiskTier, RiskTier | undefined, RiskTier]>([
    [RiskTier.LOW, RiskTier.CRITICAL, RiskTier.CRITICAL],
    [RiskTier.CRITICAL, RiskTier.LOW, RiskTier.CRITICAL],
    [RiskTier.UNSPECIFIED, RiskTier.LOW, RiskTier.LOW],
    [RiskTier.NORMAL, undefined, RiskTier.NORMAL],
    [RiskTier.UNSPECIFIED, undefined, RiskTier.NORMAL],
  ])("DSP-23 (D4): the task's tier %d and the route's %s make %d", (riskTier, minRiskTier, effective) => {
    const rules = policy([route("build", ["a"], { minRiskTier })]);
    const snapshot = compile(rules, { packs: [manifest("a")], instances: [instance("a", "1")] });
    expect(decideDispatch(snapshot, request({ riskTier }), NOW)).toMatchObject({ riskTier: effective });
  });

  test.each<[string, Partial<InstanceFacts>, boolean]>([
    ["which the manifest promises", {}, true],
    ["one of which the instance adds", { availableTools: ["npm"] }, true],
    ["one of which is degraded", { degradedTools: ["git"] }, false],
    ["one of which it adds and says is degraded", { availableTools: ["npm"], degradedTools: ["npm"] }, false],
    ["and another, which is degraded", { degradedTools: ["go"] }, true],
  ])("DSP-13 (D3): tools %s", (title, facts, passes) => {
    const requiredTools = title.includes("adds") ? ["git", "npm"] : ["git"];
    const packs = [manifest("a", { providedTools: ["git", "go"] })];
    const found = chosen([instance("a", "1", facts)], only, request({ requiredTools }), packs);
    expect(found).toBe(passes ? "a/1" : "wait: away");
  });

  test.each<[HealthStatus, boolean, boolean]>([
    [HealthStatus.HEALTHY, true, true],
    [HealthStatus.DEGRADED, true, false],
    [HealthStatus.DEGRADED, false, true],
    [HealthStatus.UNSPECIFIED, true, false],
    [HealthStatus.UNSPECIFIED, false, true],
    [HealthStatus.UNHEALTHY, false, false],
    [HealthStatus.QUARANTINED, false, false],
  ])("DSP-14: health %d with require_healthy %s", (health, requireHealthy, passes) => {
    const defaults = { fallbackPackId: undefined, maxCandidateAgents: 3, requireHealthy };
    const rules = policy([route("build", ["a"])], { admission, defaults });
    expect(chosen([instance("a", "1", { health })], rules) === "a/1").toBe(passes);
  });

  test.each<[string, Partial<InstanceFacts>]>([
    ["whose lease has ended", { leaseExpiresAt: NOW }],
    ["that drains", { draining: true }],
    ["with as many tasks as it takes", { dispatches: 4 }],
    ["that is busy for others", { otherTasks: 4 }],
    ["that takes none", { maxTasks: 0 }],
  ])("DSP-15: an instance %s gets no task", (_, facts) => {
    expect(chosen([instance("a", "1", facts)])).toMatch(/^wait/);
    expect(chosen([instance("a", "1", facts), instance("a", "2", { avgLatencyMs: 9 })])).toBe("a/2");
  });

  test.each<[number | undefined, number, number]>([
    [4, 0, 4],
    [4, 2, 2],
    [1, 2, 1],
    [undefined, 3, 3],
    [undefined, 0, 1],
  ])(
    "DSP-16: saying %s where the manifest says %d, an instance takes %d at once",
    (maxTasks, promised, takes) => {
      const packs = [manifest("a", interfaceWith({ maxConcurrentTasks: promised }))];
      const at = (dispatches: number) =>
        chosen([instance("a", "1", { maxTasks, dispatches })], only, request(), packs);
      expect(at(takes - 1)).toBe("a/1");
      expect(at(takes)).toBe("wait: busy");
    },
  );

  test("DSP-18: a pack with as many dispatches as the policy allows gets no more, on whichever instance", () => {
    const rules = policy([route("build", ["a"])], {
      admission: { ...admission, maxPerPackConcurrent: 3 },
      defaults: ab.defaults,
    });
    expect(chosen([instance("a", "1", { dispatches: 2 }), instance("a", "2")], rules)).toBe("a/2");
    expect(
      chosen([instance("a", "1", { dispatches: 2 }), instance("a", "2", { dispatches: 1 })], rules),
    ).toBe("wait: busy");
  });

  test("DSP-19: what a pack says of its task types is no condition; the policy says who may", () => {
    expect(decide({ supportedTaskTypes: ["something-else"] })).toBe("a/1");
  });
});
