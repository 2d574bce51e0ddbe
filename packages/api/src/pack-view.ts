import { RiskTierSchema, type AgentManifest, type InterfaceContract } from "@signalbox/contracts";
import type { PackPage, RegisteredPack } from "@signalbox/engine";
import { enumName } from "./enum-name.ts";

const riskTier = (tier: number): string => enumName(RiskTierSchema, tier);

/** A pack in a list. */
export const packSummaryView = (pack: PackPage["packs"][number]) => ({
  packId: pack.packId,
  packVersion: pack.packVersion,
  safetyTier: riskTier(pack.safetyTier),
  supportedTaskTypes: pack.supportedTaskTypes,
  registeredAt: pack.registeredAt.toISOString(),
  registeredBy: pack.registeredBy,
});

/** A pack as the pages read it. Its fields are the manifest's own; only what JSON cannot carry is put in words. */
export type PackView = Pick<
  AgentManifest,
  | "packId"
  | "packVersion"
  | "capabilitySchemaVersion"
  | "minOrchestratorVersion"
  | "supportedTaskTypes"
  | "providedTools"
  | "requiredTools"
  | "ownerDomains"
> & {
  safetyTier: string;
  interface: InterfaceView | null;
  registeredAt: string;
  registeredBy: string;
};

type InterfaceView = Pick<
  InterfaceContract,
  "supportedSchemaVersions" | "acceptedRiskTiers" | "maxConcurrentTasks" | "responseFormat"
> & { maxTaskSeconds: number | null };

const interfaceView = (contract: InterfaceContract): InterfaceView => ({
  supportedSchemaVersions: contract.supportedSchemaVersions,
  acceptedRiskTiers: contract.acceptedRiskTiers,
  maxConcurrentTasks: contract.maxConcurrentTasks,
  responseFormat: contract.responseFormat,
  maxTaskSeconds: contract.maxTaskDuration === undefined ? null : Number(contract.maxTaskDuration.seconds),
});

export function packView({ manifest, registeredAt, registeredBy }: RegisteredPack): PackView {
  return {
    packId: manifest.packId,
    packVersion: manifest.packVersion,
    capabilitySchemaVersion: manifest.capabilitySchemaVersion,
    minOrchestratorVersion: manifest.minOrchestratorVersion,
    supportedTaskTypes: manifest.supportedTaskTypes,
    providedTools: manifest.providedTools,
    requiredTools: manifest.requiredTools,
    ownerDomains: manifest.ownerDomains,
    safetyTier: riskTier(manifest.safetyTier),
    interface: manifest.interface === undefined ? null : interfaceView(manifest.interface),
    registeredAt: registeredAt.toISOString(),
    registeredBy,
  };
}
