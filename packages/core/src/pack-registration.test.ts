import { clone, create } from "@bufbuild/protobuf";
import { AgentManifestSchema, RiskTier, type AgentManifest } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePackRegistration, differingFields } from "./pack-registration.ts";

const orchestrator = { version: "1.4.0", capabilitySchema: "^1.0.0" };

const manifest = create(AgentManifestSchema, {
  packId: "senior-ts-dev",
  packVersion: "2.1.0",
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "1.2.0",
  safetyTier: RiskTier.NORMAL,
  supportedTaskTypes: ["feature-implementation"],
  providedTools: ["vitest"],
  requiredTools: ["git"],
  ownerDomains: ["billing"],
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW"],
    maxConcurrentTasks: 2,
    maxTaskDuration: { seconds: 600n },
  },
});

/** One change a field, so that a field added to the contract without a change here fails the test that walks them. */
const changes: Record<string, (changed: AgentManifest) => void> = {
  pack_id: (changed) => (changed.packId = "other"),
  pack_version: (changed) => (changed.packVersion = "2.1.1"),
  capability_schema_version: (changed) => (changed.capabilitySchemaVersion = "1.1.0"),
  min_orchestrator_version: (changed) => (changed.minOrchestratorVersion = "9.0.0"),
  safety_tier: (changed) => (changed.safetyTier = RiskTier.CRITICAL),
  supported_task_types: (changed) => changed.supportedTaskTypes.push("code-review"),
  provided_tools: (changed) => (changed.providedTools = []),
  required_tools: (changed) => changed.requiredTools.unshift("make"),
  owner_domains: (changed) => (changed.ownerDomains = ["shipping"]),
  interface: (changed) => delete changed.interface?.maxTaskDuration,
};
const changedIn = (fields: string[]) => {
  const changed = clone(AgentManifestSchema, manifest);
  for (const field of fields) changes[field]?.(changed);
  return changed;
};

describe("registering a pack", () => {
  test("REG-1 a new, compatible version is created", () => {
    expect(decidePackRegistration(undefined, manifest, orchestrator)).toEqual({ outcome: "created" });
  });

  test("REG-2 the same content again is unchanged", () => {
    const again = clone(AgentManifestSchema, manifest);
    expect(decidePackRegistration(manifest, again, orchestrator)).toEqual({ outcome: "unchanged" });
  });

  test("REG-3 a conflict names exactly the fields that differ", () => {
    expect(Object.keys(changes)).toEqual(AgentManifestSchema.fields.map((field) => field.name));
    fc.assert(
      fc.property(fc.subarray(Object.keys(changes), { minLength: 1 }), (fields) => {
        const decision = decidePackRegistration(manifest, changedIn(fields), orchestrator);
        expect(decision).toMatchObject({ outcome: "conflict", differs: fields });
        for (const field of fields) expect(decision).toHaveProperty("detail", expect.stringContaining(field));
      }),
    );
  });

  test("REG-3 difference does not depend on which of the two is registered", () => {
    fc.assert(
      fc.property(fc.subarray(Object.keys(changes)), fc.subarray(Object.keys(changes)), (some, others) => {
        const [one, other] = [changedIn(some), changedIn(others)];
        expect(differingFields(one, other)).toEqual(differingFields(other, one));
      }),
    );
  });

  test("REG-6 a refusal names every rule that is broken, with both versions", () => {
    const changed = changedIn(["min_orchestrator_version"]);
    changed.capabilitySchemaVersion = "2.0.0";
    expect(decidePackRegistration(undefined, changed, orchestrator)).toEqual({
      outcome: "refused",
      violations: [
        {
          field: "capability_schema_version",
          rule: "compatible",
          message: "the pack speaks capability schema 2.0.0, and this orchestrator understands ^1.0.0",
        },
        {
          field: "min_orchestrator_version",
          rule: "compatible",
          message: "the pack needs orchestrator 9.0.0 or newer, and this one is 1.4.0",
        },
      ],
    });
  });

  test("REG-7 a registered version is unchanged also for an orchestrator that would refuse it today", () => {
    const older = { version: "0.1.0", capabilitySchema: "^7.0.0" };
    expect(decidePackRegistration(manifest, manifest, older)).toEqual({ outcome: "unchanged" });
  });

  test("REG-8 risk tier, tools and load are no reason to refuse", () => {
    const unfit = create(AgentManifestSchema, {
      packId: "a",
      packVersion: "1.0.0",
      safetyTier: RiskTier.CRITICAL,
      requiredTools: ["a tool that nobody has"],
    });
    expect(decidePackRegistration(undefined, unfit, orchestrator)).toEqual({ outcome: "created" });
  });
});
