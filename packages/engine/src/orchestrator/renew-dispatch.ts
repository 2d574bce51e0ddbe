import { SignalboxError } from "@signalbox/contracts";
import { readDispatchId } from "@signalbox/core";
import { findDispatches } from "@signalbox/db";
import type { Engine } from "../engine.ts";
import type { Asked } from "../system.ts";
import { transact } from "../transaction.ts";
import { authoriseForDispatch } from "./dispatched-packs.ts";

/** D8: the agent is still at work on it. A lease that ended stays ended, and the agent is told so. */
export async function renewDispatch(
  engine: Engine,
  { caller }: Asked,
  dispatchId: string,
): Promise<{ leaseExpiresAt: Date }> {
  const place = readDispatchId(dispatchId);
  await authoriseForDispatch(engine, caller, "dispatch.renew", place);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const renewed = await engine.renewals.submit({
    tenantId: caller.tenantId,
    ...place,
    leaseMs: engine.dispatchLeaseMs,
  });
  if (renewed === null) {
    const [sent] = await transact(engine, caller.tenantId, (tx) =>
      findDispatches(tx, [{ tenantId: caller.tenantId, ...place }]),
    );
    if (sent === undefined) throw unknownDispatch(dispatchId);
    throw new SignalboxError("STALE_DISPATCH", `Dispatch ${dispatchId} is over, or its lease has ended.`);
  }
  return { leaseExpiresAt: new Date(renewed) };
}

const unknownDispatch = (dispatchId: string) =>
  new SignalboxError("NOT_FOUND", `There is no dispatch "${dispatchId.slice(0, 100)}".`);
