import type { AgentManifest } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideDispatch } from "./decide-dispatch.ts";
import { explainDispatch } from "./explain-dispatch.ts";
import type { InstanceFacts } from "./registry-facts.ts";
import {
  type BreakerFacts,
  compileSnapshot,
  findInstance,
  type RegistryFacts,
  type Snapshot,
  withBreaker,
  withDispatches,
  withInstance,
  withInstances,
  withoutInstance,
  withPack,
  withPolicy,
} from "./snapshot.ts";
import { policies, registries, requests } from "./testing/arbitrary-registry.ts";
import { instance, manifest, NOW, orchestrator, policy, request, route } from "./testing/registry.ts";

const rules = policy([route("build", ["a", "b"])]);
const compiled = compileSnapshot(rules, orchestrator, {
  packs: [manifest("a"), manifest("b")],
  instances: [instance("a", "1"), instance("a", "2"), instance("b", "1", { dispatches: 1 })],
});

test("DSP-62: a change gives another snapshot and leaves the old one as it was", () => {
  const before = structuredClone(explainDispatch(compiled, request(), NOW));
  const busier = withDispatches(compiled, { packId: "a", instanceId: "1" }, 1);
  expect(findInstance(busier, { packId: "a", instanceId: "1" })?.dispatches).toBe(1);
  withoutInstance(busier, { packId: "a", instanceId: "2" });
  withPolicy(busier, policy([]));
  expect(explainDispatch(compiled, request(), NOW)).toEqual(before);
});

test("DSP-62: a change of one pack shares all the others, and the routes", () => {
  const changed = withInstance(compiled, instance("a", "1", { avgLatencyMs: 7 }));
  expect(changed.routes).toBe(compiled.routes);
  expect(changed.packs[1]).toBe(compiled.packs[1]);
  expect(changed.packs[0]).not.toBe(compiled.packs[0]);
});

test("DSP-62: what is not there changes nothing", () => {
  expect(withInstance(compiled, instance("stranger", "1"))).toBe(compiled);
  expect(withDispatches(compiled, { packId: "a", instanceId: "9" }, 1)).toBe(compiled);
  expect(withPack(compiled, manifest("a", { providedTools: ["other"] }))).toBe(compiled);
});

const byName = (one: InstanceFacts, other: InstanceFacts) => (one.instanceId < other.instanceId ? -1 : 1);
const comparable = ({ packs }: Snapshot) =>
  packs.map((entry) => Object.assign({}, entry, { strays: entry.strays.toSorted(byName) }));
const busier = (facts: InstanceFacts, index: number) =>
  Object.assign({}, facts, { otherTasks: facts.otherTasks + (index % 2) });

describe("DSP-63: changes one by one come to the same as all at once", () => {
  type Change =
    | { kind: "pack"; manifest: AgentManifest }
    | { kind: "instance"; facts: InstanceFacts }
    | { kind: "gone"; facts: InstanceFacts }
    | { kind: "breaker"; breaker: BreakerFacts };

  const apply = (snapshot: Snapshot, change: Change): Snapshot => {
    if (change.kind === "pack") return withPack(snapshot, change.manifest);
    if (change.kind === "instance") return withInstance(snapshot, change.facts);
    return change.kind === "gone"
      ? withoutInstance(snapshot, change.facts)
      : withBreaker(snapshot, change.breaker);
  };

  const changesTo = (earlier: RegistryFacts, later: Required<RegistryFacts>): Change[] => [
    ...later.packs.map((one): Change => ({ kind: "pack", manifest: one })),
    ...earlier.instances.map((facts): Change => ({ kind: "instance", facts })),
    ...earlier.instances.map((facts): Change => ({ kind: "gone", facts })),
    ...later.instances.map((facts): Change => ({ kind: "instance", facts: { ...facts, dispatches: 1 } })),
    ...later.instances.map((facts): Change => ({ kind: "instance", facts })),
    ...later.breakers.map((breaker): Change => ({ kind: "breaker", breaker })),
  ];

  test("and many instances together to the same as one after another", () => {
    fc.assert(
      fc.property(registries, registries, (start, heard) => {
        const before = compileSnapshot(policy([]), orchestrator, start);
        const told = [...heard.instances, ...start.instances.map(busier)];
        const together = withInstances(before, told);
        const oneByOne = told.reduce(withInstance, before);
        expect(comparable(together)).toEqual(comparable(oneByOne));
      }),
    );
  });

  test("for decisions and for what is recorded of them", () => {
    fc.assert(
      fc.property(policies, registries, registries, requests, (document, earlier, later, asked) => {
        const { packs: _packs, ...others } = earlier;
        const start = compileSnapshot(policy([]), orchestrator, {
          packs: [],
          instances: [],
          listeningSince: later.listeningSince,
        });
        const step = changesTo({ packs: [], ...others }, later).reduce(apply, start);
        const grown = withPolicy(step, document);
        const registered = new Set(later.packs.map(({ packId }) => packId));
        const whole = compileSnapshot(document, orchestrator, later);
        expect(decideDispatch(grown, asked, NOW)).toEqual(decideDispatch(whole, asked, NOW));
        for (const { packId, dispatches } of grown.packs) {
          expect(registered).toContain(packId);
          expect(dispatches).toBe(whole.packs[whole.places.get(packId) ?? -1]?.dispatches);
        }
      }),
      { numRuns: 500 },
    );
  });
});
