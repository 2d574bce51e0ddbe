import type { RoutingPolicy } from "./routing-policy.ts";

/**
 * What holds where no policy was ever published: no task type has a route, so that each task escalates and says so. Its
 * version is empty, as is the record's where no policy is in force.
 */
export const noPolicy: RoutingPolicy = {
  version: "",
  routes: [],
  admission: {
    maxGlobalQueueDepth: 10_000_000,
    maxPerPackConcurrent: 1,
    circuitBreaker: { errorThreshold: 10_000, windowMs: 1, halfOpenAfterMs: 1 },
    maxWaitMs: undefined,
    absenceGraceMs: undefined,
    probationAfterMs: undefined,
  },
  defaults: { fallbackPackId: undefined, maxCandidateAgents: 1, requireHealthy: true },
  redaction: undefined,
};
