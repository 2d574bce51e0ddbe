import type { Caller } from "@signalbox/core";

/** Who is signed in, as the pages read it; with core's permission table it also says which buttons are enabled. */
export const sessionView = (caller: Caller): Caller => ({
  tenantId: caller.tenantId,
  actor: { type: caller.actor.type, id: caller.actor.id },
  role: caller.role,
  credential: caller.credential,
});
