import type { PipelineTemplate } from "@signalbox/core";
import { activeVersions, type BatchTransaction } from "@signalbox/db";
import type { DocumentCache } from "../documents/document-cache.ts";

export type ActiveTemplate = { readonly version: string; readonly template: PipelineTemplate };

export type Templates = {
  /** As it is active in this transaction; undefined where the active version has none of this id. */
  active(tx: BatchTransaction, tenantId: string, templateId: string): Promise<ActiveTemplate | undefined>;
  /** The very version that a pipeline was started with. */
  pinned(
    tx: BatchTransaction,
    tenantId: string,
    pin: { readonly version: string; readonly templateId: string },
  ): Promise<PipelineTemplate>;
};

export function createTemplates(documents: DocumentCache): Templates {
  /** Which version is active is asked once for all tenants of a batch, whatever it begins of each. */
  const asked = new WeakMap<BatchTransaction, Promise<ReadonlyMap<string, string>>>();

  async function versionIn(tx: BatchTransaction, tenantId: string): Promise<string | undefined> {
    const versions = asked.get(tx) ?? activeVersions(tx, "pipeline-templates");
    asked.set(tx, versions);
    return (await versions).get(tenantId);
  }

  async function find(tx: BatchTransaction, tenantId: string, version: string, templateId: string) {
    const { templates } = await documents.load(tx, tenantId, "pipeline-templates", version);
    return templates.find((known) => known.templateId === templateId);
  }

  return {
    async active(tx, tenantId, templateId) {
      const version = await versionIn(tx, tenantId);
      const template = version && (await find(tx, tenantId, version, templateId));
      return version && template ? { version, template } : undefined;
    },
    async pinned(tx, tenantId, { version, templateId }) {
      const template = await find(tx, tenantId, version, templateId);
      if (template === undefined) throw new Error(`templates ${version} hold no "${templateId}" any more`);
      return template;
    },
  };
}
