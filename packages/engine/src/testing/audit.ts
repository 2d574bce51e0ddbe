import { type AuditFact, factOf } from "@signalbox/core";
import type { AuditFilter } from "@signalbox/db";
import { listAudit } from "../read-audit.ts";
import type { System } from "../system.ts";
import { askedBy } from "./test-engine.ts";

/** What is on record, oldest first: a pipeline's by their revision, which no two share. */
export async function factsOf(
  system: System,
  filter: AuditFilter & { readonly pipelineId: string },
  tenantId = "default",
): Promise<AuditFact[]> {
  const found: AuditFact[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(system, askedBy("auditor", tenantId), {
      ...filter,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.entries.map(({ payload }) => factOf(JSON.parse(payload))));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found.toSorted((one, other) => (one.revision ?? 0) - (other.revision ?? 0));
}

export const actionsOf = async (system: System, pipelineId: string): Promise<string[]> =>
  (await factsOf(system, { pipelineId })).map(({ action }) => action);
