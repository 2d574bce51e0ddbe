import { create, equals, type DescField } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { AgentManifestSchema, type AgentManifest } from "@signalbox/contracts";
import {
  checkCapabilitySchema,
  checkOrchestratorVersion,
  type Incompatibility,
  type Orchestrator,
} from "./compatibility.ts";

export type PackRegistration =
  | { outcome: "created" }
  | { outcome: "unchanged" }
  | { outcome: "conflict"; differs: string[]; detail: string }
  | { outcome: "refused"; violations: Incompatibility[] };

/**
 * Decides on a manifest that is valid by its schema. A version that is already registered is judged by its content
 * alone: an orchestrator that moved on does not turn a repeated registration into a refusal.
 */
export function decidePackRegistration(
  existing: AgentManifest | undefined,
  manifest: AgentManifest,
  orchestrator: Orchestrator,
): PackRegistration {
  if (existing !== undefined) return compareWithRegistered(existing, manifest);
  const violations = [
    checkCapabilitySchema(manifest.capabilitySchemaVersion, orchestrator.capabilitySchema),
    checkOrchestratorVersion(manifest.minOrchestratorVersion, orchestrator.version),
  ].filter((violation) => violation !== undefined);
  return violations.length > 0 ? { outcome: "refused", violations } : { outcome: "created" };
}

function compareWithRegistered(existing: AgentManifest, manifest: AgentManifest): PackRegistration {
  const differs = differingFields(existing, manifest);
  if (differs.length === 0) return { outcome: "unchanged" };
  return {
    outcome: "conflict",
    differs,
    detail:
      `Pack ${existing.packId} ${existing.packVersion} is registered with another ${differs.join(", ")}. ` +
      `A version never changes: register the new content under a new pack_version.`,
  };
}

/** The manifest's fields, by their proto names, whose values are not the same in both. */
export function differingFields(one: AgentManifest, other: AgentManifest): string[] {
  return AgentManifestSchema.fields
    .filter((field) => !equals(AgentManifestSchema, withOnly(one, field), withOnly(other, field)))
    .map((field) => field.name);
}

function withOnly(manifest: AgentManifest, field: DescField): AgentManifest {
  const source = reflect(AgentManifestSchema, manifest);
  const only = create(AgentManifestSchema);
  if (source.isSet(field)) reflect(AgentManifestSchema, only).set(field, source.get(field));
  return only;
}
