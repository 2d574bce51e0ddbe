import { observePipeline } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import type { Committed } from "../orchestrator/orchestrator.ts";
import { quarantineOf, tellObserved } from "./observations.ts";

/** Tells whoever counts what a batch committed. */
export function observeBatch(
  system: { readonly database: Database },
  { drafts, quarantined, now }: Committed,
): void {
  for (const draft of drafts)
    tellObserved(system, draft.key.tenantId, () => observePipeline({ ...draft, after: draft.state }, now));
  for (const instance of quarantined) tellObserved(system, instance.tenantId, () => [quarantineOf(instance)]);
}
