import { readFileSync } from "node:fs";
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

/** The templates of the demonstration (A2A 4.4), in force. Sent twice, they are there once. */
export async function publishTemplates({ origin, key }: Stack): Promise<void> {
  const body = readFileSync(new URL("../examples/config/pipeline-templates.yaml", import.meta.url), "utf8");
  const authorization = `Bearer ${key}`;
  const templates = `${origin}/v1/pipeline-templates`;
  const kept = await fetch(templates, {
    method: "POST",
    headers: { authorization, "content-type": "application/yaml" },
    body,
  });
  expect(kept.ok, await kept.text()).toBe(true);
  const published = await fetch(`${templates}/1.0.0/publish`, { method: "POST", headers: { authorization } });
  expect(published.ok, await published.text()).toBe(true);
}

/** Submits a task as a program does; where no policy is published, a person is asked who may do it. */
export async function submitTask(
  { origin, key }: Stack,
  templateId: string,
): Promise<{ taskId: string; pipelineId: string }> {
  const taskId = `TASK-${crypto.randomUUID().slice(0, 8)}`;
  const response = await fetch(`${origin}/v1/tasks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      templateId,
      contract: { taskId, title: "Add clamp", acceptanceCriteria: ["it clamps"] },
    }),
  });
  expect(response.status).toBe(201);
  const { pipelineId }: { pipelineId: string } = await response.json();
  return { taskId, pipelineId };
}
