import type { AgentManifest } from "@signalbox/contracts";
import type { Engine } from "../engine.ts";
import { policyText, template, templatesText } from "./documents.ts";
import { packOf, publishPolicy, publishTemplates, registerPacks } from "./test-engine.ts";

export type Prepared = {
  readonly packs?: readonly AgentManifest[];
  readonly policy?: string;
  readonly templates?: readonly object[];
};

/** The pack "builder" does everything. */
export const builderPolicy = (changes: Parameters<typeof policyText>[1] = {}): string =>
  policyText({ build: ["builder"], check: ["builder"], ship: ["builder"] }, changes);

/** The same, with what the tenant has masked. */
export const publishRedaction = (engine: Engine, version: string, redaction: object): Promise<void> =>
  publishPolicy(engine, builderPolicy({ version, redaction }));

export const chainStages = [
  { id: "a", taskType: "build" },
  { id: "b", taskType: "check", after: ["a"] },
  { id: "c", taskType: "ship", after: ["b"] },
] as const;

/** a → b and a → c, which d waits for. */
export const diamondStages = [
  { id: "a", taskType: "build" },
  { id: "b", taskType: "check", after: ["a"] },
  { id: "c", taskType: "check", after: ["a"] },
  { id: "d", taskType: "ship", after: ["b", "c"] },
] as const;

export const chain = (policy: Parameters<typeof template>[2] = {}, id = "chain"): object =>
  template(id, chainStages, policy);
export const diamond = (policy: Parameters<typeof template>[2] = {}): object =>
  template("diamond", diamondStages, policy);

/** What a tenant needs before anything can be sent. */
export async function prepare(
  engine: Engine,
  { packs = [packOf("builder")], policy = builderPolicy(), templates = [chain(), diamond()] }: Prepared = {},
  tenantId = "default",
): Promise<void> {
  await registerPacks(engine, packs, tenantId);
  await publishPolicy(engine, policy, tenantId);
  await publishTemplates(engine, templatesText(templates), tenantId);
}
