import { ContextLevel, HealthStatus, DispatchSnapshotSchema, RiskTier } from "@signalbox/contracts";
import { checkMessage } from "@signalbox/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideDispatch } from "./decide-dispatch.ts";
import { dispatchSnapshot, readDispatchRecord } from "./dispatch-record.ts";
import { type Explanation, explainDispatch, restorableInstance } from "./explain-dispatch.ts";
import { noPolicy } from "../documents/no-policy.ts";
import { decisionText, rejectionText } from "./reason-text.ts";
import { outlookOf } from "./reasons.ts";
import { compileSnapshot } from "./snapshot.ts";
import { policies, registries, requests } from "./testing/arbitrary-registry.ts";
import { instance, manifest, NOW, orchestrator, policy, request, route } from "./testing/registry.ts";

const attempt = { attemptNumber: 1, contextLevel: ContextLevel.LAYERED, refFreshness: [] };
const rules = policy([route("build", ["a", "b", "c"], { preferredPackId: "c", fallbackPackId: "f" })]);
const explain = (facts: Parameters<typeof compileSnapshot>[2], asked = request()): Explanation =>
  explainDispatch(compileSnapshot(rules, orchestrator, facts), asked, NOW);

const mixed = explain({
  packs: [manifest("a", { safetyTier: RiskTier.LOW }), manifest("b"), manifest("f")],
  instances: [
    instance("a", "1"),
    instance("b", "1", { dispatches: 4 }),
    instance("b", "2", { leaseExpiresAt: NOW - 1 }),
    instance("b", "3", { avgLatencyMs: 250 }),
    instance("f", "1"),
  ],
});

test("DSP-60: an explanation tells of every candidate its reason and the facts it was judged on", () => {
  expect(mixed.decision).toMatchObject({ kind: "selected", packId: "b", instanceId: "3" });
  expect(mixed.candidates.map(({ packId, role, reason }) => [packId, role, reason])).toEqual([
    ["a", "allowed", undefined],
    ["b", "allowed", undefined],
    ["c", "allowed", "not-registered"],
    ["f", "fallback", undefined],
  ]);
  expect(mixed.candidates[0]?.versions[0]?.reason).toBe("safety-tier");
  expect(
    mixed.candidates[1]?.versions[0]?.instances.map(({ reason, facts }) => [facts.instanceId, reason]),
  ).toEqual(
    [
      ["3", undefined],
      ["2", "lease-expired"],
      ["1", "at-capacity"],
    ].toSorted(([one], [other]) => ["2", "3", "1"].indexOf(one ?? "") - ["2", "3", "1"].indexOf(other ?? "")),
  );
});

test("DSP-42: the ranking names each able pack once, best first, and at most max_candidate_agents of them", () => {
  const packs = ["a", "b", "c", "d"].map((packId) => manifest(packId));
  const instances = packs.map(({ packId }, index) => instance(packId, "1", { dispatches: 3 - index }));
  const four = policy([route("build", ["a", "b", "c", "d"])]);
  const snapshot = compileSnapshot(four, orchestrator, {
    packs,
    instances: [...instances, instance("d", "2")],
  });
  const { ranking } = explainDispatch(snapshot, request(), NOW);
  expect(ranking.map(({ packId }) => packId)).toEqual(["d", "c", "b"]);
});

test("DSP-61: the decision reads as a sentence that names who, and what stands against the others", () => {
  expect(decisionText(mixed)).toBe(
    'Task type "build": b 1.0.0 on 3, the best of 1 under routing policy 1.0.0. Against the others: ' +
      "a: version 1.0.0 is not trusted with the task's risk tier; c is not registered.",
  );
  const none = explain({
    packs: [manifest("a")],
    instances: [instance("a", "1", { health: HealthStatus.QUARANTINED })],
  });
  expect(decisionText(none)).toBe(
    'Task type "build" cannot be dispatched: every instance that could do it is quarantined. ' +
      "a: instance 1 is quarantined; b is not registered; c is not registered; f is not registered.",
  );
  const waiting = explain({
    packs: [manifest("a")],
    instances: [1, 2, 3, 4, 5].map((id) => instance("a", `${id}`, { dispatches: 4 })),
  });
  expect(decisionText(waiting)).toContain(
    "a: instance 1, 2, 3 and 2 more has as many tasks as it can take".replace(
      "instance 1, 2, 3",
      "instance 1, instance 2, instance 3",
    ),
  );
});

test("DSP-61: where no policy was ever published, that is what is said", () => {
  const nothing = compileSnapshot(noPolicy, orchestrator, { packs: [], instances: [] });
  expect(decisionText(explainDispatch(nothing, request(), NOW))).toBe(
    'Task type "build" cannot be dispatched: no routing policy has been published.',
  );
});

test("DSP-61: every reason has words", () => {
  for (const reason of Object.keys(outlookOf)) {
    expect(rejectionText(reason as keyof typeof outlookOf)).toMatch(/^\w.+\w$/);
  }
});

test("DSP-54 (D7): the quarantined instance that a person may restore is named", () => {
  const quarantined = instance("a", "1", { health: HealthStatus.QUARANTINED });
  expect(restorableInstance(explain({ packs: [manifest("a")], instances: [quarantined] }))).toEqual({
    packId: "a",
    instanceId: "1",
  });
  expect(restorableInstance(mixed)).toBeUndefined();
});

test("DSP-60: an explanation agrees with the decision, and its record obeys the contract", () => {
  fc.assert(
    fc.property(policies, registries, requests, (document, facts, asked) => {
      const snapshot = compileSnapshot(document, orchestrator, facts);
      const explanation = explainDispatch(snapshot, asked, NOW);
      const { decision } = explanation;
      expect(decision).toEqual(decideDispatch(snapshot, asked, NOW));
      checkMessage(DispatchSnapshotSchema, dispatchSnapshot(explanation, attempt));
      const [first] = explanation.ranking;
      const chosen = decision.kind === "selected" ? decision.instanceId : undefined;
      expect(first?.instanceId).toBe(chosen);
      expect(decisionText(explanation)).not.toContain("undefined");
    }),
    { numRuns: 1000 },
  );
});

test("DSP-60: a decision can be taken again from its record and the manifests alone", () => {
  fc.assert(
    fc.property(policies, registries, requests, (document, facts, asked) => {
      const explanation = explainDispatch(compileSnapshot(document, orchestrator, facts), asked, NOW);
      const recorded = readDispatchRecord(dispatchSnapshot(explanation, attempt).rejectionReasons);
      const packs = facts.packs.filter(({ packId, packVersion }) =>
        recorded.packVersions.some((one) => one.packId === packId && one.packVersion === packVersion),
      );
      const again = compileSnapshot(document, recorded.orchestrator, { ...recorded, packs });
      expect(decideDispatch(again, recorded.request, recorded.decidedAt)).toEqual(explanation.decision);
    }),
    { numRuns: 1000 },
  );
});

test("DSP-60: what is no record of a decision is refused", () => {
  expect(() => readDispatchRecord("a pack was busy")).toThrow(SyntaxError);
  expect(() => readDispatchRecord("{}")).toThrow("packs");
});
