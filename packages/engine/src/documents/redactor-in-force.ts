import type { Redactor } from "@signalbox/core";
import { activeVersion, type TenantTransaction } from "@signalbox/db";
import type { System } from "../system.ts";
import { documentsOf, withoutPolicy } from "./document-cache.ts";

/** What masks what a tenant writes now: its active policy's, or the built-in rules where none was published. */
export async function redactorInForce(
  system: Pick<System, "database">,
  tx: TenantTransaction,
): Promise<Redactor> {
  const version = await activeVersion(tx, tx.tenantId, "routing-policy");
  if (version === undefined) return withoutPolicy.redactor;
  return (await documentsOf(system).load(tx, tx.tenantId, "routing-policy", version)).redactor;
}
