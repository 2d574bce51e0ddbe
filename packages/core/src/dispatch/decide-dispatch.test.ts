import { HealthStatus, RiskTier } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byPack, naiveSelection } from "../../bench/naive-dispatch.ts";
import type { RoutingPolicy } from "../documents/routing-policy.ts";
import { decideDispatch } from "./decide-dispatch.ts";
import type { InstanceFacts } from "./registry-facts.ts";
import { compileSnapshot, type RegistryFacts } from "./snapshot.ts";
import { policies, registries, requests } from "./testing/arbitrary-registry.ts";
import {
  admission,
  instance,
  manifest,
  NOW,
  orchestrator,
  policy,
  request,
  route,
} from "./testing/registry.ts";

const compile = (rules: RoutingPolicy, facts: RegistryFacts) => compileSnapshot(rules, orchestrator, facts);
const ab = policy([route("build", ["a", "b"], { preferredPackId: "b", fallbackPackId: "f" })]);
const three = [manifest("a"), manifest("b"), manifest("f")];

const chosen = (instances: InstanceFacts[], rules = ab, asked = request(), packs = three) => {
  const decision = decideDispatch(compile(rules, { packs, instances }), asked, NOW);
  return decision.kind === "selected"
    ? `${decision.packId}/${decision.instanceId}`
    : `${decision.kind}: ${decision.reason}`;
};

const open = (packId: string) => ({
  packId,
  taskType: "build",
  state: { kind: "open", openedAt: NOW - 1 } as const,
});

describe("admission", () => {
  const one = [instance("a", "1")];

  test("DSP-1: a task past its deadline is not dispatched", () => {
    expect(chosen(one, ab, request({ deadlineAt: NOW }))).toBe("escalate: deadline-passed");
    expect(chosen(one, ab, request({ deadlineAt: NOW + 1 }))).toBe("a/1");
  });

  test("DSP-2: a full queue takes in no more, and throws nobody out", () => {
    expect(chosen(one, ab, request({ queueDepth: 50 }))).toBe("escalate: queue-full");
    expect(chosen(one, ab, request({ queueDepth: 49 }))).toBe("a/1");
    expect(chosen(one, ab, request({ queueDepth: 5000, waitingSince: NOW - 1 }))).toBe("a/1");
  });

  test("DSP-3 (D5): a task type whose allowed packs are all cut off is rejected, fallback or not", () => {
    const instances = [instance("a", "1"), instance("b", "1"), instance("f", "1")];
    const decide = (...packIds: string[]) =>
      decideDispatch(compile(ab, { packs: three, instances, breakers: packIds.map(open) }), request(), NOW);
    expect(decide("a", "b")).toEqual({ kind: "escalate", reason: "breakers-open" });
    expect(decide("b")).toMatchObject({ packId: "a" });
  });

  test("DSP-3 (D5): a breaker of one task type says nothing of another", () => {
    const breakers = [{ packId: "a", taskType: "review", state: { kind: "open", openedAt: NOW } as const }];
    const facts = { packs: three, instances: [instance("a", "1")], breakers };
    expect(decideDispatch(compile(ab, facts), request(), NOW)).toMatchObject({ kind: "selected" });
  });

  test("DSP-17 (D5): a half-open breaker lets one probe through, and nothing beside it", () => {
    const facts = { packs: three, instances: [instance("a", "1")] };
    const decideWith = (state: Parameters<typeof compileSnapshot>[2]["breakers"]) =>
      decideDispatch(compile(ab, { ...facts, breakers: state ?? [] }), request(), NOW);
    const openedAt = NOW - 120_000;
    expect(decideWith([{ packId: "a", taskType: "build", state: { kind: "open", openedAt } }])).toMatchObject(
      {
        kind: "selected",
        probe: true,
      },
    );
    const probing = { kind: "probing", openedAt, dispatchId: "d" } as const;
    expect(decideWith([{ packId: "a", taskType: "build", state: probing }])).toMatchObject({
      kind: "wait",
      reason: "busy",
    });
  });
});

test("DSP-4 (D23): a task type without a route escalates, whatever the default fallback", () => {
  const rules = policy([], {
    admission,
    defaults: { fallbackPackId: "f", maxCandidateAgents: 3, requireHealthy: true },
  });
  expect(chosen([instance("f", "1")], rules)).toBe("escalate: no-route");
});

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

describe("DSP-40: the order of rank", () => {
  const loose = policy([route("build", ["a", "b"], { preferredPackId: "b" })], {
    admission,
    defaults: { fallbackPackId: undefined, maxCandidateAgents: 3, requireHealthy: false },
  });

  test.each<[string, InstanceFacts[], string]>([
    [
      "health before load",
      [instance("a", "1", { dispatches: 3 }), instance("b", "1", { health: HealthStatus.DEGRADED })],
      "a/1",
    ],
    [
      "load before latency",
      [instance("a", "1", { avgLatencyMs: 900 }), instance("b", "1", { dispatches: 1 })],
      "a/1",
    ],
    [
      "load by capacity, not by count",
      [
        instance("a", "1", { dispatches: 2, maxTasks: 10 }),
        instance("b", "1", { dispatches: 1, maxTasks: 2 }),
      ],
      "a/1",
    ],
    ["work of others is load", [instance("a", "1"), instance("b", "1", { otherTasks: 1 })], "a/1"],
    [
      "latency before preference",
      [instance("a", "1", { avgLatencyMs: 10 }), instance("b", "1", { avgLatencyMs: 11 })],
      "a/1",
    ],
    ["preference among equals", [instance("a", "1"), instance("b", "1")], "b/1"],
    ["the id among equals of one pack", [instance("b", "2"), instance("b", "10"), instance("b", "1")], "b/1"],
  ])("%s", (_, instances, expected) => {
    expect(chosen(instances, loose)).toBe(expected);
    expect(chosen(instances.toReversed(), loose)).toBe(expected);
  });

  test("the pack's id among equals without a preference", () => {
    const rules = policy([route("build", ["b", "a"])]);
    expect(chosen([instance("b", "1"), instance("a", "2")], rules)).toBe("a/2");
  });
});

const old = (facts: Partial<InstanceFacts> = {}) => instance("a", "old", { packVersion: "1.9.0", ...facts });
const current = (facts: Partial<InstanceFacts> = {}) =>
  instance("a", "current", { packVersion: "1.10.0", ...facts });

describe("DSP-41: several versions of one pack", () => {
  const packs = [manifest("a", { packVersion: "1.9.0" }), manifest("a", { packVersion: "1.10.0" })];

  test("the highest that has an able instance wins, however busy", () => {
    expect(chosen([old(), current({ dispatches: 3 })], ab, request(), packs)).toBe("a/current");
    expect(chosen([old(), current({ dispatches: 4 })], ab, request(), packs)).toBe("a/old");
  });

  test("an incompatible one is passed over", () => {
    const newer = manifest("a", { packVersion: "2.0.0", minOrchestratorVersion: "9.0.0" });
    const found = chosen([old(), instance("a", "new", { packVersion: "2.0.0" })], ab, request(), [
      ...packs,
      newer,
    ]);
    expect(found).toBe("a/old");
  });

  test("a pin keeps to the versions it allows", () => {
    const pinned = policy([route("build", ["a@~1.9.0"], { fallbackPackId: null })]);
    expect(chosen([old(), current()], pinned, request(), packs)).toBe("a/old");
    expect(chosen([current()], pinned, request(), packs)).toBe("wait: away");
    expect(chosen([current()], policy([route("build", ["a@2.0.0"])]), request(), packs)).toBe(
      "escalate: no-compatible-pack",
    );
  });

  test("an instance that names no version counts as one of the highest; one of an unknown version is not used", () => {
    const found = decideDispatch(compile(ab, { packs, instances: [instance("a", "1")] }), request(), NOW);
    expect(found).toMatchObject({ packVersion: "1.10.0" });
    expect(chosen([instance("a", "1", { packVersion: "3.0.0" })], ab, request(), packs)).toBe("wait: away");
  });
});

describe("DSP-43: the fallback", () => {
  test("takes over when no allowed pack is able, be it busy or away", () => {
    expect(chosen([instance("a", "1", { dispatches: 4 }), instance("f", "1")])).toBe("f/1");
    expect(chosen([instance("f", "1")])).toBe("f/1");
    expect(chosen([instance("a", "1"), instance("f", "1")])).toBe("a/1");
  });

  test("passes the same filter", () => {
    const packs = [manifest("a"), manifest("b"), manifest("f", { safetyTier: RiskTier.LOW })];
    expect(chosen([instance("f", "1")], ab, request(), packs)).toBe("wait: away");
  });

  test.each<[string | null | undefined, string | null | undefined, string]>([
    [undefined, "f", "f/1"],
    [undefined, null, "wait: away"],
    [undefined, undefined, "wait: away"],
    [null, "f", "wait: away"],
    ["f", null, "f/1"],
  ])("DSP-44 (D23): the route says %s and the default %s", (said, byDefault, expected) => {
    const rules = policy([route("build", ["a"], { fallbackPackId: said })], {
      admission,
      defaults: { fallbackPackId: byDefault, maxCandidateAgents: 3, requireHealthy: true },
    });
    expect(chosen([instance("f", "1")], rules)).toBe(expected);
  });

  test("is told apart in the decision", () => {
    const snapshot = compile(ab, { packs: three, instances: [instance("f", "1")] });
    expect(decideDispatch(snapshot, request(), NOW)).toMatchObject({ viaFallback: true });
  });
});

test("DSP-45: an instance that failed the task is passed over, and so is every pack but the one a handoff named", () => {
  const instances = [instance("a", "1"), instance("b", "1")];
  expect(chosen(instances, ab, request({ excluded: [{ packId: "b", instanceId: "1" }] }))).toBe("a/1");
  expect(chosen(instances, ab, request({ onlyPackId: "a" }))).toBe("a/1");
  expect(chosen([...instances, instance("f", "1")], ab, request({ onlyPackId: "f" }))).toBe("f/1");
  expect(chosen(instances, ab, request({ onlyPackId: "stranger" }))).toBe("escalate: no-compatible-pack");
});

const decideAt = (
  instances: InstanceFacts[],
  waitingSince: number | undefined,
  facts: Partial<RegistryFacts> = {},
  asked = {},
) =>
  decideDispatch(
    compile(ab, { packs: three, instances, ...facts }),
    request({ waitingSince, ...asked }),
    NOW,
  );

describe("wait or escalate", () => {
  const busy = [instance("a", "1", { dispatches: 4 })];
  const away = [instance("a", "1", { leaseExpiresAt: NOW - 10_000 })];

  test("DSP-50: what only another registration, policy or task could mend escalates at once", () => {
    const packs = [manifest("a", { safetyTier: RiskTier.LOW })];
    expect(decideAt([instance("a", "1")], undefined, { packs })).toEqual({
      kind: "escalate",
      reason: "no-compatible-pack",
    });
    expect(decideAt([], undefined, { packs: [] })).toEqual({
      kind: "escalate",
      reason: "no-compatible-pack",
    });
  });

  test("DSP-50: a full instance that lacks a tool is not waited for", () => {
    expect(decideAt(busy, undefined, { packs: [manifest("a")] }, { requiredTools: ["go"] })).toEqual({
      kind: "escalate",
      reason: "no-compatible-pack",
    });
  });

  test("DSP-50: a pack without an instance is waited for only if its manifest promises the tools", () => {
    const packs = [manifest("a", { providedTools: ["go"] })];
    expect(decideAt([], undefined, { packs }, { requiredTools: ["go"] })).toMatchObject({ reason: "away" });
    expect(decideAt([], undefined, { packs }, { requiredTools: ["npm"] })).toMatchObject({
      reason: "no-compatible-pack",
    });
  });

  test("DSP-51: a busy pack is waited for, as long as the policy says and no longer than the deadline", () => {
    expect(decideAt(busy, undefined)).toEqual({ kind: "wait", reason: "busy", until: NOW + 600_000 });
    expect(decideAt(busy, NOW - 100_000)).toEqual({ kind: "wait", reason: "busy", until: NOW + 500_000 });
    expect(decideAt(busy, NOW - 100_000, {}, { deadlineAt: NOW + 5 })).toMatchObject({ until: NOW + 5 });
    expect(decideAt(busy, NOW - 600_000)).toEqual({ kind: "escalate", reason: "waited-too-long" });
  });

  test("DSP-52: a pack that is away is waited for as long as a restart may take, from when it was last heard of", () => {
    expect(decideAt(away, undefined)).toEqual({ kind: "wait", reason: "away", until: NOW + 30_000 });
    expect(decideAt(away, NOW - 500_000)).toEqual({ kind: "wait", reason: "away", until: NOW + 20_000 });
    expect(decideAt([instance("a", "1", { leaseExpiresAt: NOW - 30_000 })], NOW - 500_000)).toEqual({
      kind: "escalate",
      reason: "unavailable",
    });
    expect(decideAt([], NOW - 30_000)).toEqual({ kind: "escalate", reason: "unavailable" });
  });

  test("DSP-52: silence from before anybody listened means nothing", () => {
    const silent = [instance("a", "1", { leaseExpiresAt: NOW - 900_000 })];
    const heard = { listeningSince: NOW - 5_000 };
    expect(decideAt(silent, NOW - 800_000, heard)).toEqual({
      kind: "wait",
      reason: "away",
      until: NOW + 25_000,
    });
  });

  test("DSP-52: a grace of nothing escalates at once", () => {
    const rules = policy([route("build", ["a"])], {
      admission: { ...admission, absenceGraceMs: 0 },
      defaults: ab.defaults,
    });
    expect(chosen([], rules)).toBe("escalate: unavailable");
  });

  test("DSP-53: somebody busy is better than somebody away, whoever it is", () => {
    expect(decideAt([...away, instance("f", "1", { dispatches: 4 })], undefined)).toMatchObject({
      reason: "busy",
    });
  });

  test("DSP-54 (D7): what only a person could mend escalates at once", () => {
    const packs = [manifest("a")];
    const quarantined = [instance("a", "1", { health: HealthStatus.QUARANTINED })];
    expect(decideAt(quarantined, undefined, { packs })).toEqual({
      kind: "escalate",
      reason: "only-quarantined",
    });
  });
});

test("DSP-46: on any registry the compiled decision selects what the rules, read one after another, select", () => {
  fc.assert(
    fc.property(policies, registries, requests, (rules, facts, asked) => {
      const decision = decideDispatch(compile(rules, facts), asked, NOW);
      const naive = naiveSelection(rules, orchestrator, byPack(facts), asked, NOW);
      const admitted =
        decision.kind !== "escalate" ||
        !["deadline-passed", "queue-full", "breakers-open"].includes(decision.reason);
      const {
        kind: _kind,
        probe: _probe,
        riskTier: _tier,
        ...selection
      } = decision.kind === "selected" ? decision : { kind: "", probe: false, riskTier: 0 };
      expect(decision.kind === "selected" ? selection : undefined).toEqual(admitted ? naive : undefined);
    }),
    { numRuns: 3000 },
  );
});
