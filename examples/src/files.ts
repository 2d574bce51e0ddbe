import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentManifest, manifestFromJson } from "@signalbox/agent-sdk";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readAll = (folder: string): readonly object[] =>
  readdirSync(join(root, folder))
    .toSorted()
    .map((name) => jsonObject(read(join(folder, name))));

export function jsonObject(text: string): object {
  const json: unknown = JSON.parse(text);
  if (typeof json === "object" && json !== null) return json;
  throw new TypeError("the file holds no JSON object");
}

/** By this a pack says that it is the demonstration's. */
export const demonstrationDomain = "signalbox-demonstration";

export const manifests = () => readAll("packs");
/** The same as messages of the contract. */
export const readPacks = (): AgentManifest[] =>
  manifests().map((json) => manifestFromJson(JSON.stringify(json)));
export const tasks = () => readAll("tasks");
export const documents = {
  /** As the specification of agent-to-agent dispatch has them (A2A 3.1, 4.4). */
  policy: () => read("config/routing-policy.yaml"),
  templates: () => read("config/pipeline-templates.yaml"),
  policyWithVerification: () => read("config/routing-policy-with-verification.yaml"),
};
