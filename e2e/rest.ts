import { expect } from "@playwright/test";
import type { Stack } from "./stack.ts";

/** What a program sends to register: protobuf JSON of an AgentManifest. */
export const manifestOf = (packId: string, packVersion = "1.0.0", more: Record<string, unknown> = {}) => ({
  packId,
  packVersion,
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  safetyTier: "RISK_TIER_NORMAL",
  supportedTaskTypes: ["review"],
  providedTools: ["git", "eslint"],
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
    maxConcurrentTasks: 2,
    maxTaskDuration: "1800s",
  },
  ...more,
});

/** As any agent does it: over REST, with a key. */
export async function registerPack({ origin, key }: Stack, manifest: object): Promise<void> {
  const response = await fetch(`${origin}/v1/packs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(manifest),
  });
  expect(response.status, await response.text()).toBe(201);
}
