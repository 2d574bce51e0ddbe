import type { PipelineTemplate } from "@signalbox/core";
import { activeVersion, type BatchTransaction } from "@signalbox/db";
import { type DocumentCache, type PolicyInForce, withoutPolicy } from "./document-cache.ts";

/** The template that a pipeline which begins now is pinned to; undefined where the active version has none of this id. */
export async function pinnedTemplate(
  cache: DocumentCache,
  tx: BatchTransaction,
  tenantId: string,
  templateId: string,
): Promise<{ version: string; template: PipelineTemplate } | undefined> {
  const version = await activeVersion(tx, tenantId, "pipeline-templates");
  if (version === undefined) return undefined;
  const { templates } = await cache.load(tx, tenantId, "pipeline-templates", version);
  const template = templates.find((known) => known.templateId === templateId);
  return template && { version, template };
}

/** The policy that decides now, and masks what is written now. */
export async function activePolicy(
  cache: DocumentCache,
  tx: BatchTransaction,
  tenantId: string,
): Promise<PolicyInForce> {
  const version = await activeVersion(tx, tenantId, "routing-policy");
  return version === undefined ? withoutPolicy : cache.load(tx, tenantId, "routing-policy", version);
}
