import { HealthStatus } from "@signalbox/contracts";
import type { Observation } from "@signalbox/core";
import { countUnresolvedEscalations } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { type InstanceView, instancesIn } from "../registry/instances.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

/** A tenant that has more has other means than a label for each of them. */
const MOST_INSTANCES = 2_000;
const MOST_OPEN = 100_000;

/** What the tenant's gauges are at: nothing of it costs more the longer there was anything. */
export async function readGauges(system: System, { caller }: Asked): Promise<Observation[]> {
  authorise(caller, "metrics.read", undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const [open, { instances }] = await Promise.all([
      countUnresolvedEscalations(tx, MOST_OPEN),
      instancesIn(system, tx, { limit: MOST_INSTANCES, after: undefined, packId: undefined }),
    ]);
    const unresolved: Observation = { metric: "a2a_escalation_unresolved", labels: {}, value: open };
    return [unresolved, ...instances.flatMap(gaugesOf)];
  });
}

/**
 * Of one that went away nothing is known, which is what its health says until it is forgotten: without a series nobody would be
 * alerted to a pack that is away as a whole (5.6). A gauge of its work that stood still would say something.
 */
function gaugesOf(instance: InstanceView): Observation[] {
  const { packId, instanceId, presence, health, dispatches, otherTasks, maxTasks, said } = instance;
  const labels = { pack_id: packId, instance_id: instanceId };
  if (presence === "away")
    return [{ metric: "a2a_agent_health_status", labels, value: HealthStatus.UNSPECIFIED }];
  const gauges: Observation[] = [{ metric: "a2a_agent_health_status", labels, value: health }];
  if (maxTasks !== undefined && maxTasks > 0)
    gauges.push({
      metric: "a2a_agent_capacity_utilization",
      labels,
      value: (dispatches + otherTasks) / maxTasks,
    });
  if (said.errorRate !== undefined)
    gauges.push({ metric: "a2a_agent_error_rate", labels, value: said.errorRate });
  return gauges;
}
