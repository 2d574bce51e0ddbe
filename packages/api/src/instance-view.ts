import { HealthStatusSchema } from "@signalbox/contracts";
import type { InstanceView } from "@signalbox/engine";
import { enumName } from "./enum-name.ts";

/** An instance: its lease, its dispatches and its standing are three facts (D8). */
export const instanceView = (instance: InstanceView) => ({
  packId: instance.packId,
  instanceId: instance.instanceId,
  packVersion: instance.packVersion ?? null,
  presence: instance.presence,
  healthStatus: enumName(HealthStatusSchema, instance.health),
  openDispatches: instance.dispatches,
  maxTasks: instance.maxTasks ?? null,
  activeTasks: instance.said.activeTasks ?? null,
  queuedTasks: instance.said.queuedTasks ?? null,
  errorRate: instance.said.errorRate ?? null,
  averageLatencyMs: instance.said.averageLatencyMs ?? null,
  availableTools: instance.said.availableTools,
  degradedTools: instance.said.degradedTools,
  firstSeenAt: instance.firstSeenAt.toISOString(),
  heardAt: instance.heardAt.toISOString(),
  leaseExpiresAt: instance.leaseExpiresAt.toISOString(),
  consecutiveInvalidResults: instance.consecutiveInvalid,
  quarantine: instance.quarantine
    ? {
        since: instance.quarantine.since.toISOString(),
        reason: instance.quarantine.reason,
        probationAt: instance.quarantine.probationAt?.toISOString() ?? null,
      }
    : null,
  probation: instance.probation
    ? { since: instance.probation.since.toISOString(), reason: instance.probation.reason }
    : null,
  draining: instance.draining
    ? { since: instance.draining.since.toISOString(), reason: instance.draining.reason }
    : null,
});
