import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type AgentManifest, AgentManifestSchema, HealthStatus, RiskTier } from "@signalbox/contracts";
import type { Route, RoutingPolicy } from "../../documents/routing-policy.ts";
import type { InstanceFacts } from "../registry-facts.ts";
import type { DispatchRequest } from "../request.ts";

export const NOW = 1_772_000_000_000;
export const orchestrator = { version: "1.4.0", schemaVersion: "1.2.0" };

type ManifestInit = Extract<MessageInitShape<typeof AgentManifestSchema>, { $typeName?: never }>;

/** A pack that may do anything and says so. */
export const manifest = (packId: string, init: ManifestInit = {}): AgentManifest =>
  create(AgentManifestSchema, {
    packId,
    packVersion: "1.0.0",
    safetyTier: RiskTier.CRITICAL,
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
    },
    ...init,
  });

/** An idle, healthy instance with room for four tasks. */
export const instance = (
  packId: string,
  instanceId: string,
  facts: Partial<InstanceFacts> = {},
): InstanceFacts => ({
  packId,
  instanceId,
  packVersion: undefined,
  health: HealthStatus.HEALTHY,
  dispatches: 0,
  otherTasks: 0,
  maxTasks: 4,
  avgLatencyMs: 0,
  availableTools: [],
  degradedTools: [],
  leaseExpiresAt: NOW + 30_000,
  draining: false,
  ...facts,
});

export const route = (taskType: string, allowedPackIds: string[], said: Partial<Route> = {}): Route => ({
  taskType,
  allowedPackIds,
  preferredPackId: undefined,
  minRiskTier: undefined,
  fallbackPackId: undefined,
  ...said,
});

export const policy = (
  routes: Route[],
  said: Partial<Pick<RoutingPolicy, "admission" | "defaults">> = {},
): RoutingPolicy => ({
  version: "1.0.0",
  routes,
  admission: { ...admission, ...said.admission },
  defaults: { fallbackPackId: undefined, maxCandidateAgents: 3, requireHealthy: true, ...said.defaults },
  redaction: undefined,
});

export const admission: RoutingPolicy["admission"] = {
  maxGlobalQueueDepth: 50,
  maxPerPackConcurrent: 100,
  circuitBreaker: { errorThreshold: 3, windowMs: 60_000, halfOpenAfterMs: 120_000 },
  maxWaitMs: 600_000,
  absenceGraceMs: 30_000,
  probationAfterMs: undefined,
};

export const request = (asked: Partial<DispatchRequest> = {}): DispatchRequest => ({
  taskType: "build",
  riskTier: RiskTier.NORMAL,
  requiredTools: [],
  queueDepth: 0,
  waitingSince: undefined,
  deadlineAt: undefined,
  ...asked,
});
