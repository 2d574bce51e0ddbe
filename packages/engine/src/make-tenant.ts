import { type Actor, tenantCreated } from "@signalbox/core";
import { ensureTenant } from "@signalbox/db";
import { record } from "./record.ts";
import type { System } from "./system.ts";
import { transact } from "./transaction.ts";

/** A tenant of its own for what must not touch another's: a dev session, say. One that is there is left as it is. */
export async function makeTenant(
  system: System,
  { tenantId, name, actor, requestId }: { tenantId: string; name: string; actor: Actor; requestId: string },
): Promise<void> {
  await transact(system, tenantId, async (tx) => {
    if (await ensureTenant(tx, { name }))
      await record(tx, tenantCreated({ tenantId, actor, requestId }, { name }));
  });
}
