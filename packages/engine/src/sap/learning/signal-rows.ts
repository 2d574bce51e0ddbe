import type { Result, Task } from "@signalbox/contracts/sap";
import { type Making, outcomeSignal, type RoutingPolicy, type Signal, WHOLE_PAYLOAD } from "@signalbox/core";
import type { NewSapSignal, NewSapTask, StoredSapTask } from "@signalbox/db";
import { type PreparedTask, sha256 } from "../prepare-task.ts";

type OfTask = Pick<NewSapTask, "tenantId" | "taskId" | "capability" | "territory" | "fingerprint">;

export const signalRow = (
  { tenantId, taskId, capability, territory, fingerprint }: OfTask,
  signal: Signal,
  by: { readonly ratedBy: string | null; readonly taskId?: null } = { ratedBy: null },
): NewSapSignal => ({
  tenantId,
  kind: signal.kind,
  capability,
  territory: territory ?? "",
  fingerprint,
  taskId,
  signal: JSON.stringify(signal),
  ...by,
});

/** SAP-50: of a task that was worked on, under the policy that judged it. */
export function outcomeSignalRow(
  policy: RoutingPolicy,
  stored: StoredSapTask | NewSapTask,
  task: Task,
  result: Result,
  made: Making,
): NewSapSignal {
  const named = policy.sap?.capabilities.find(({ capability }) => capability === stored.capability);
  const rule = named ?? { essence: WHOLE_PAYLOAD };
  return signalRow(stored, outcomeSignal({ task, result, rule, made, digestOf: sha256 }));
}

type Answered = { readonly prepared: PreparedTask; readonly result: Result };

/** SAP-51: of what the cache answered together one signal for each key, however many asked. */
export function cacheSignalRows(answered: readonly Answered[]): NewSapSignal[] {
  const alike = Map.groupBy(answered, ({ prepared: { row }, result }) =>
    JSON.stringify([row.tenantId, row.capability, row.territory, row.fingerprint, result.status]),
  );
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const signal: Signal = {
      kind: "cache",
      hit: first.result.status === "SUCCEEDED",
      times: group.length,
    };
    return [signalRow(first.prepared.row, signal, { ratedBy: null, taskId: null })];
  });
}
