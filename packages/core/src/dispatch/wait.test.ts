import { HealthStatus, RiskTier } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { decideDispatch } from "./decide-dispatch.ts";
import type { InstanceFacts } from "./registry-facts.ts";
import type { RegistryFacts } from "./snapshot.ts";
import { ab, chosen, compile, three } from "./testing/decisions.ts";
import { admission, instance, manifest, NOW, policy, request, route } from "./testing/registry.ts";

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

  test("DSP-51: one that was asked to drain ends its work, and is not waited for any longer than that may take", () => {
    const draining = [instance("a", "1", { draining: true, leaseExpiresAt: NOW + 20_000 })];
    expect(decideAt(draining, undefined)).toEqual({ kind: "wait", reason: "busy", until: NOW + 600_000 });
    expect(decideAt(draining, NOW - 100_000)).toMatchObject({ until: NOW + 500_000 });
    expect(decideAt(draining, NOW - 600_000)).toEqual({ kind: "escalate", reason: "waited-too-long" });
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
