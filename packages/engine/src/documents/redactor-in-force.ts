import type { Redactor } from "@signalbox/core";
import { activeVersion, type TenantTransaction } from "@signalbox/db";
import type { System } from "../system.ts";
import { documentsOf, type PolicyInForce, withoutPolicy } from "./document-cache.ts";

/** What masks what a tenant writes now: its active policy's, or the built-in rules where none was published. */
export async function redactorInForce(
  system: Pick<System, "database">,
  tx: TenantTransaction,
): Promise<Redactor> {
  return (await policyInForce(system, tx)).redactor;
}

/** The tenant's active policy, read once and kept ready; throws where it cannot be read any more. */
export async function policyInForce(
  system: Pick<System, "database">,
  tx: TenantTransaction,
): Promise<PolicyInForce> {
  const version = await activeVersion(tx, tx.tenantId, "routing-policy");
  if (version === undefined) return withoutPolicy;
  return documentsOf(system).load(tx, tx.tenantId, "routing-policy", version);
}
