import { ContextLevel } from "@signalbox/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dispatchSnapshot } from "./dispatch-record.ts";
import { explainDispatch } from "./explain-dispatch.ts";
import { replayDispatch } from "./replay-dispatch.ts";
import { compileSnapshot } from "./snapshot.ts";
import { policies, registries, requests } from "./testing/arbitrary-registry.ts";
import { instance, manifest, NOW, orchestrator, policy, request, route } from "./testing/registry.ts";

const attempt = { attemptNumber: 1, contextLevel: ContextLevel.LAYERED, refFreshness: [] };
const packs = [manifest("a"), manifest("b"), manifest("c")];
const manifests = Map.groupBy(packs, ({ packId }) => packId);
const before = policy([route("build", ["a", "b"], { preferredPackId: "a" })]);
const instances = [instance("a", "1"), instance("b", "1")];
const recorded = dispatchSnapshot(
  explainDispatch(compileSnapshot(before, orchestrator, { packs, instances }), request(), NOW),
  attempt,
).rejectionReasons;

test("DSP-110: under its own policy every decision comes out as it was", () => {
  fc.assert(
    fc.property(registries, policies, requests, (registry, rules, asked) => {
      const snapshot = compileSnapshot(rules, orchestrator, registry);
      const { rejectionReasons, selectedPackId } = dispatchSnapshot(
        explainDispatch(snapshot, asked, NOW),
        attempt,
      );
      const known = Map.groupBy(registry.packs, ({ packId }) => packId);
      const replay = replayDispatch(rejectionReasons, rules, known);
      expect(replay.kind).toBe("same");
      expect(replay.before.packId ?? "").toBe(selectedPackId);
    }),
  );
});

test("DSP-110: another preference sends it elsewhere, and says why", () => {
  const other = policy([route("build", ["a", "b"], { preferredPackId: "b" })]);
  expect(replayDispatch(recorded, other, manifests)).toMatchObject({
    kind: "elsewhere",
    before: { packId: "a" },
    after: { outcome: "selected", packId: "b" },
    why: expect.stringContaining("b 1.0.0 on 1, the best of 2"),
  });
});

test("DSP-110: a route that goes leaves nobody to send it to", () => {
  expect(replayDispatch(recorded, policy([]), manifests)).toMatchObject({
    kind: "elsewhere",
    after: { outcome: "escalate: no-route", packId: undefined },
  });
});

test("DSP-110: of a pack that was not weighed then nobody knows how it was", () => {
  const other = policy([route("build", ["a", "c"])]);
  expect(replayDispatch(recorded, other, manifests)).toMatchObject({ kind: "unknown", packIds: ["c"] });
});

test("DSP-110: a pack that is registered nowhere changes nothing", () => {
  const other = policy([route("build", ["a", "nobody"], { preferredPackId: "a" })]);
  expect(replayDispatch(recorded, other, manifests).kind).toBe("same");
});

test("DSP-110: what is no record is refused", () => {
  expect(() => replayDispatch("***", before, manifests)).toThrow(/JSON/);
});
