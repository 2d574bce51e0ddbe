import { HealthStatus, RiskTier } from "@signalbox/contracts";
import * as fc from "fast-check";
import type { RoutingPolicy } from "../../documents/routing-policy.ts";
import type { BreakerState } from "../breaker.ts";
import type { InstanceFacts } from "../registry-facts.ts";
import type { DispatchRequest } from "../request.ts";
import type { RegistryFacts } from "../snapshot.ts";
import { manifest, NOW } from "./registry.ts";

const packIds = ["a", "b", "c", "d"];
const tools = ["git", "npm", "go"];
const versions = ["1.0.0", "1.1.0", "2.0.0-rc.1"];
const tiers = [RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL] as const;
const tierNames = ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"];

/** Mostly the first, so that a registry in which nothing fits stays the exception. */
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );

const manifests = fc
  .uniqueArray(
    fc.record({
      packId: fc.constantFrom(...packIds),
      packVersion: fc.constantFrom(...versions),
      safetyTier: mostly<RiskTier>(RiskTier.CRITICAL, ...tiers),
      minOrchestratorVersion: mostly("", "1.4.0", "1.5.0"),
      providedTools: mostly(tools, ["git"], []),
      interface: fc.record({
        supportedSchemaVersions: mostly(["^1.0.0"], ["1.2.0"], ["~1.1.0", "1.2.0"], ["^2.0.0"], []),
        acceptedRiskTiers: mostly(tierNames, ["RISK_TIER_LOW"], []),
        maxConcurrentTasks: mostly(0, 1, 2),
      }),
    }),
    { selector: ({ packId, packVersion }) => `${packId}@${packVersion}`, minLength: 2, maxLength: 8 },
  )
  .map((inits) => inits.map((init) => manifest(init.packId, init)));

const instances: fc.Arbitrary<InstanceFacts[]> = fc.uniqueArray(
  fc.record({
    packId: fc.constantFrom(...packIds),
    instanceId: fc.constantFrom("i1", "i2", "i3", "i4"),
    packVersion: mostly<string | undefined>(undefined, ...versions),
    health: mostly<HealthStatus>(
      HealthStatus.HEALTHY,
      HealthStatus.DEGRADED,
      HealthStatus.UNHEALTHY,
      HealthStatus.QUARANTINED,
      HealthStatus.UNSPECIFIED,
    ),
    dispatches: fc.nat(2),
    otherTasks: mostly(0, 1),
    maxTasks: mostly<number | undefined>(4, 1, 0, undefined),
    avgLatencyMs: fc.constantFrom(0, 100, 200),
    availableTools: mostly<readonly string[]>([], ["npm"], tools),
    degradedTools: mostly<readonly string[]>([], ["npm"], tools),
    leaseExpiresAt: mostly(NOW + 30_000, NOW, NOW - 1_000, NOW - 60_000),
    draining: mostly(false, true),
  }),
  { selector: ({ packId, instanceId }) => `${packId}/${instanceId}`, minLength: 2, maxLength: 12 },
);

const breakerStates: fc.Arbitrary<BreakerState> = fc.oneof(
  fc.constant<BreakerState>({ kind: "closed", failures: [NOW - 1_000] }),
  fc.constantFrom(NOW - 1_000, NOW - 200_000).map((openedAt): BreakerState => ({ kind: "open", openedAt })),
  fc.constant<BreakerState>({ kind: "probing", openedAt: NOW - 200_000, dispatchId: "probe" }),
);

export const registries: fc.Arbitrary<Required<RegistryFacts>> = fc.record({
  packs: manifests,
  instances,
  breakers: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.uniqueArray(
      fc.record({
        packId: fc.constantFrom(...packIds),
        taskType: mostly("build", "review"),
        state: breakerStates,
      }),
      { selector: ({ packId, taskType }) => `${packId} ${taskType}`, maxLength: 4 },
    ),
  ),
  listeningSince: fc.constantFrom(Number.NEGATIVE_INFINITY, NOW - 1_000),
});

const references = fc
  .constantFrom(...packIds)
  .chain((packId) => mostly(packId, `${packId}@^1.0.0`, `${packId}@1.0.0`));

export const policies: fc.Arbitrary<RoutingPolicy> = fc.record({
  version: fc.constant("1.0.0"),
  routes: fc.uniqueArray(
    fc
      .uniqueArray(references, {
        selector: (reference) => reference.split("@")[0],
        minLength: 1,
        maxLength: 4,
      })
      .chain((allowedPackIds) =>
        fc.record({
          taskType: mostly("build", "review"),
          allowedPackIds: fc.constant(allowedPackIds),
          preferredPackId: fc.constantFrom(
            undefined,
            ...allowedPackIds.map((reference) => reference.split("@")[0]),
          ),
          minRiskTier: fc.constantFrom(undefined, ...tiers),
          fallbackPackId: fc.oneof(fc.constantFrom(undefined, null), references),
        }),
      ),
    { selector: ({ taskType }) => taskType, minLength: 1, maxLength: 2 },
  ),
  admission: fc.record({
    maxGlobalQueueDepth: fc.constant(5),
    maxPerPackConcurrent: mostly(100, 1, 3),
    circuitBreaker: fc.constant({ errorThreshold: 3, windowMs: 60_000, halfOpenAfterMs: 120_000 }),
    maxWaitMs: fc.constantFrom(undefined, 60_000),
    absenceGraceMs: fc.constantFrom(undefined, 0, 20_000),
    probationAfterMs: fc.constant(undefined),
  }),
  defaults: fc.record({
    fallbackPackId: fc.oneof(fc.constantFrom(undefined, null), references),
    maxCandidateAgents: fc.integer({ min: 1, max: 3 }),
    requireHealthy: fc.boolean(),
  }),
  redaction: fc.constant(undefined),
});

export const requests: fc.Arbitrary<DispatchRequest> = fc.record({
  taskType: mostly("build", "review", "unknown"),
  riskTier: fc.constantFrom(RiskTier.UNSPECIFIED, ...tiers),
  requiredTools: fc.subarray(tools),
  queueDepth: mostly(0, 5),
  waitingSince: fc.constantFrom(undefined, NOW - 10_000, NOW - 700_000),
  deadlineAt: mostly<number | undefined>(undefined, NOW + 5_000, NOW),
  excluded: mostly<{ packId: string; instanceId: string }[]>([], [{ packId: "a", instanceId: "i1" }]),
  onlyPackId: mostly<string | undefined>(undefined, "b"),
});
