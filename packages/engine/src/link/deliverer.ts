import type { AgentTransport } from "@signalbox/contracts";
import type { CurrentDispatch, InstanceRef } from "@signalbox/core";
import type { Engine } from "../engine.ts";
import type { Asked } from "../system.ts";
import type { AgentAdapters } from "./agent-adapter.ts";
import { type HeardInstance, onInstancesHeard } from "./heard-instances.ts";
import { type Line, openLine } from "./line.ts";

export type Deliverer = {
  /** These were called off here; what other nodes call off comes with the instance's next heartbeat. */
  cancelled(tenantId: string, dispatches: readonly CurrentDispatch[]): void;
  /** Calls that are open are cut once `untilCut` settles; at once where nothing is said. */
  stop(untilCut?: Promise<void>): Promise<void>;
};

type OpenLine = { readonly line: Line; readonly transport: AgentTransport; readonly address: string };

/**
 * Keeps a line to every instance whose heartbeats this process hears and that says how it is called. It holds nothing that
 * another node needs: whoever hears the instance next opens its own, and of two lines each envelope is taken by one.
 */
export function startDeliverer(
  engine: Engine,
  adapters: AgentAdapters,
  onFailure: (error: unknown, what: string) => void,
): Deliverer {
  const lines = new Map<string, OpenLine>();
  const closing = new Set<Promise<void>>();
  let stopped = false;

  function shut(key: string, untilCut?: Promise<void>): void {
    const found = lines.get(key);
    if (found === undefined) return;
    lines.delete(key);
    const closed = found.line.close(untilCut).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function hear({ tenantId, packId, instanceId, endpoint, leaseMs, cancelDispatchIds }: HeardInstance): void {
    const key = keyOf(tenantId, { packId, instanceId });
    const known = lines.get(key);
    const same =
      known !== undefined && known.transport === endpoint?.transport && known.address === endpoint.address;
    if (known !== undefined && !same) shut(key);
    const adapter = endpoint && adapters.get(endpoint.transport);
    if (adapter === undefined || endpoint === undefined) return;
    const { transport, address } = endpoint;
    if (same) known.line.heard(leaseMs);
    else {
      const to = { tenantId, packId, instanceId, address };
      const asked = askedFor(engine, to);
      const onSilent = () => shut(key);
      const line = openLine(
        { engine, adapter, to, asked, random: Math.random, onFailure, onSilent },
        leaseMs,
      );
      lines.set(key, { line, transport, address });
    }
    for (const dispatchId of cancelDispatchIds) lines.get(key)?.line.cancel(dispatchId);
  }

  const stopHearing = onInstancesHeard(engine, (heard) => {
    if (!stopped) for (const one of heard) hear(one);
  });
  return {
    cancelled(tenantId, dispatches) {
      for (const dispatch of dispatches)
        lines.get(keyOf(tenantId, dispatch))?.line.cancel(dispatch.dispatchId);
    },
    async stop(untilCut) {
      stopped = true;
      stopHearing();
      for (const key of lines.keys()) shut(key, untilCut);
      await Promise.all(closing);
    },
  };
}

const keyOf = (tenantId: string, { packId, instanceId }: InstanceRef): string =>
  JSON.stringify([tenantId, packId, instanceId]);

/** The instance is the caller, as if it had asked by itself: what it says is on record under its own name. */
const askedFor = (
  engine: Engine,
  { tenantId, packId, instanceId }: InstanceRef & { tenantId: string },
): Asked => ({
  requestId: engine.newId(),
  caller: {
    tenantId,
    role: "agent",
    actor: { type: "agent", id: instanceId },
    credential: "key",
    packIds: [packId],
  },
});
