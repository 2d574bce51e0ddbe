import { type CapabilityRule, type Snapshot, WHOLE_PAYLOAD } from "@signalbox/core";
import { transactionTime } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import type { Asked } from "../system.ts";
import { transact } from "../transaction.ts";

/** What a task may ask for under the policy in force, by name. */
export async function listCapabilities(
  engine: Engine,
  { caller }: Asked,
): Promise<readonly CapabilityRule[]> {
  authorise(caller, "sap.read", undefined);
  const { tenantId } = caller;
  return transact(engine, tenantId, async (tx) => {
    const snapshots = await engine.registries.current(tx, [tenantId], await transactionTime(tx));
    const snapshot = snapshots.get(tenantId);
    return snapshot === undefined ? [] : capabilitiesOf(snapshot);
  });
}

function capabilitiesOf({ policy, routes }: Snapshot): CapabilityRule[] {
  const named = policy.sap?.capabilities ?? [];
  const names = new Set(named.map(({ capability }) => capability));
  const plain = [...routes.keys()].flatMap((taskType): CapabilityRule[] =>
    names.has(taskType)
      ? []
      : [
          {
            capability: taskType,
            work: { case: "taskType", value: taskType },
            issuers: undefined,
            essence: WHOLE_PAYLOAD,
            maxCacheAgeMs: undefined,
          },
        ],
  );
  return [...named, ...plain].toSorted((one, other) => (one.capability < other.capability ? -1 : 1));
}
