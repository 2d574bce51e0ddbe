import { fromJsonString } from "@bufbuild/protobuf";
import { type AgentManifest, AgentManifestSchema } from "@signalbox/contracts";
import {
  examineRoutingPolicy,
  type Orchestrator,
  type PolicyFinding,
  type PolicySurroundings,
  readPublishedDocument,
  type RoutingPolicy,
} from "@signalbox/core";
import { findActiveDocument, listManifests, type TenantTransaction } from "@signalbox/db";
import { SCHEMA_VERSION } from "../schema-version.ts";

/** Every registered manifest of the tenant. */
export const readManifests = async (tx: TenantTransaction): Promise<AgentManifest[]> =>
  (await listManifests(tx)).map((text) =>
    fromJsonString(AgentManifestSchema, text, { ignoreUnknownFields: true }),
  );

/** What the policy leaves open, beside what is registered and what the templates in force ask for. */
export async function examinePolicy(
  tx: TenantTransaction,
  orchestrator: Orchestrator,
  policy: RoutingPolicy,
  text: string,
): Promise<PolicyFinding[]> {
  return examineRoutingPolicy(policy, text, {
    packs: await readManifests(tx),
    orchestrator: { version: orchestrator.version, schemaVersion: SCHEMA_VERSION },
    ...(await askedByTemplates(tx)),
  });
}

async function askedByTemplates(
  tx: TenantTransaction,
): Promise<Pick<PolicySurroundings, "wanted" | "templates">> {
  const active = await findActiveDocument(tx, "pipeline-templates");
  const read = active && readPublishedDocument("pipeline-templates", active.document);
  if (read?.kind !== "valid") return { wanted: new Map(), templates: new Set() };
  const { templates } = read.document;
  const wanted = templates.flatMap(({ templateId, stages }) =>
    stages.map(({ taskType, stageId }): [string, string] => [
      taskType,
      `stage ${stageId} of template ${templateId}`,
    ]),
  );
  return { wanted: new Map(wanted), templates: new Set(templates.map(({ templateId }) => templateId)) };
}
