import type { TaskEnvelope } from "@signalbox/contracts";
import { type InstanceRef, readDispatchId } from "@signalbox/core";
import { type Database, type DispatchKey, returnEnvelopes } from "@signalbox/db";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";
import type { Inboxes } from "./inboxes.ts";

type Giving = System & {
  readonly batches: Database;
  readonly inboxes: Inboxes;
  readonly takeWithinMs: number;
};

/** Envelopes for an instance that had gone before they arrived: whoever asks for it next has them. */
export async function giveBack(
  system: Giving,
  tenantId: string,
  ref: InstanceRef,
  envelopes: readonly TaskEnvelope[],
): Promise<void> {
  const keys = envelopes.flatMap(({ execution }): DispatchKey[] => {
    const place = readDispatchId(execution?.dispatchId ?? "");
    return place === undefined ? [] : [{ tenantId, ...place }];
  });
  await reach(system, () =>
    system.batches.inTenants([tenantId], (tx) => returnEnvelopes(tx, keys, system.takeWithinMs)),
  );
  system.inboxes.arrived(tenantId, ref);
}
