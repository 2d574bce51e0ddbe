import { create } from "@bufbuild/protobuf";
import {
  AgentManifestSchema,
  InterfaceContractSchema,
  RiskTier,
  type AgentManifest,
} from "@signalbox/contracts";

type Fields = Omit<AgentManifest, "$typeName" | "$unknown">;

/** A manifest that every check accepts; a test changes what it is about. */
export function buildManifest(changes: Partial<Fields> = {}): AgentManifest {
  return create(AgentManifestSchema, {
    packId: "painter",
    packVersion: "1.0.0",
    capabilitySchemaVersion: "1.0.0",
    minOrchestratorVersion: "0.1.0",
    safetyTier: RiskTier.NORMAL,
    supportedTaskTypes: ["paint"],
    providedTools: ["brush"],
    requiredTools: ["brush"],
    ownerDomains: ["facade"],
    interface: create(InterfaceContractSchema, {
      supportedSchemaVersions: ["1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
      maxConcurrentTasks: 2,
      maxTaskDuration: { seconds: 600n, nanos: 0 },
    }),
    ...changes,
  });
}
