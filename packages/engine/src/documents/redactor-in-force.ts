import type { Redactor } from "@signalbox/core";
import { activeVersion, type TenantTransaction } from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { withoutPolicy } from "./document-cache.ts";

/** What masks what a tenant writes now: its active policy's, or the built-in rules where none was published. */
export async function redactorInForce(
  { documents }: Pick<Engine, "documents">,
  tx: TenantTransaction,
): Promise<Redactor> {
  const version = await activeVersion(tx, tx.tenantId, "routing-policy");
  if (version === undefined) return withoutPolicy.redactor;
  return (await documents.load(tx, tx.tenantId, "routing-policy", version)).redactor;
}
