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
      instancesIn(tx, { limit: MOST_INSTANCES, after: undefined, packId: undefined }),
    ]);
    const unresolved: Observation = { metric: "a2a_escalation_unresolved", labels: {}, value: open };
    return [unresolved, ...instances.filter(isThere).flatMap(gaugesOf)];
  });
}

/** Of one that went away nothing is known, and a gauge that stands still would say something. */
const isThere = ({ presence }: InstanceView): boolean => presence !== "away";

function gaugesOf({ packId, instanceId, health, dispatches, maxTasks, said }: InstanceView): Observation[] {
  const labels = { pack_id: packId, instance_id: instanceId };
  const gauges: Observation[] = [{ metric: "a2a_agent_health_status", labels, value: health }];
  if (maxTasks !== undefined && maxTasks > 0)
    gauges.push({ metric: "a2a_agent_capacity_utilization", labels, value: dispatches / maxTasks });
  if (said.errorRate !== undefined)
    gauges.push({ metric: "a2a_agent_error_rate", labels, value: said.errorRate });
  return gauges;
}
