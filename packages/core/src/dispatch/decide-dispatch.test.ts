import { HealthStatus, RiskTier } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byPack, naiveSelection } from "../../bench/naive-dispatch.ts";
import { decideDispatch } from "./decide-dispatch.ts";
import type { InstanceFacts } from "./registry-facts.ts";
import { policies, registries, requests } from "./testing/arbitrary-registry.ts";
import { ab, chosen, compile, three } from "./testing/decisions.ts";
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
    const decideWith = (state: Parameters<typeof compile>[1]["breakers"]) =>
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
