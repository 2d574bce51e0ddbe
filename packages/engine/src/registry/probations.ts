import { bumpRegistries, dueProbations, lockPipelines, tenantsWithQuarantine } from "@signalbox/db";
import { policyInForce } from "../documents/redactor-in-force.ts";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";
import { tellReturned } from "./returned-instances.ts";
import { applyStanding } from "./standing.ts";

const EVERY_MS = 5_000;
const TENANTS_AT_ONCE = 100;
const INSTANCES_AT_ONCE = 500;

/**
 * D7, QUAR-6: where the policy in force says after how long, instances that their own results quarantined may work again, on
 * probation. Every node with loops looks, and whoever has the instance's lock first does it: the others are refused.
 */
export async function beginProbations(system: System, onFailure: (reason: unknown) => void): Promise<number> {
  let begun = 0;
  for (let after = ""; ;) {
    const tenantIds = await reach(system, () =>
      tenantsWithQuarantine(system.database, { after, limit: TENANTS_AT_ONCE }),
    );
    for (const tenantId of tenantIds) {
      // One tenant's policy that cannot be read any more must not keep the others' instances out.
      begun += await reach(system, () => beginIn(system, tenantId)).catch((reason: unknown) => {
        onFailure(reason);
        return 0;
      });
    }
    const last = tenantIds.at(-1);
    if (last === undefined || tenantIds.length < TENANTS_AT_ONCE) return begun;
    after = last;
  }
}

async function beginIn(system: System, tenantId: string): Promise<number> {
  const restored = await system.database.inTenant(tenantId, async (tx) => {
    const { probationAfterMs } = (await policyInForce(system, tx)).policy.admission;
    if (probationAfterMs === undefined) return [];
    const bounds = { afterMs: probationAfterMs, limit: INSTANCES_AT_ONCE };
    const due = await dueProbations(tx, tenantId, bounds);
    if (due.length === 0) return [];
    const changes = await bumpRegistries(tx, [tenantId]);
    const { now } = await lockPipelines(tx, []);
    const event = { kind: "probation", afterMs: probationAfterMs } as const;
    const items = due.map((one) => ({ ...one, requestId: "", event }));
    const decisions = await applyStanding(tx, { changes, now, items });
    return due.filter((_, index) => decisions[index]?.kind === "restored");
  });
  // What waits for somebody may go to them.
  if (restored.length > 0) tellReturned(system, restored);
  return restored.length;
}

export function keepProbations(system: System, onFailure: (reason: unknown) => void): () => void {
  let running = false;
  return system.clock.repeat(EVERY_MS, () => {
    if (running) return;
    running = true;
    beginProbations(system, onFailure)
      .catch(onFailure)
      .finally(() => {
        running = false;
      });
  });
}
