import { fromJsonString } from "@bufbuild/protobuf";
import { type AgentManifest, AgentManifestSchema } from "@signalbox/contracts";
import {
  examineRoutingPolicy,
  type Orchestrator,
  type PolicyFinding,
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
    wanted: await wantedTaskTypes(tx),
  });
}

async function wantedTaskTypes(tx: TenantTransaction): Promise<Map<string, string>> {
  const active = await findActiveDocument(tx, "pipeline-templates");
  const read = active && readPublishedDocument("pipeline-templates", active.document);
  if (read?.kind !== "valid") return new Map();
  return new Map(
    read.document.templates.flatMap(({ templateId, stages }) =>
      stages.map(({ taskType, stageId }): [string, string] => [
        taskType,
        `stage ${stageId} of template ${templateId}`,
      ]),
    ),
  );
}
