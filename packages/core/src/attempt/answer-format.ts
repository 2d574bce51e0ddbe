import type { AgentManifest, StageConfig } from "@signalbox/contracts";
import type { EnvelopeParts } from "../dispatch/build-envelope.ts";
import type { Snapshot } from "../dispatch/snapshot.ts";

const JSON_STANDARD = "json_standard";

/** SACP-7: an answer is asked for by the stage, or by the pack whose agents always give one. */
export const asksForAnswer = (
  config: StageConfig | undefined,
  manifest: AgentManifest | undefined,
): boolean =>
  config?.responseFormat === JSON_STANDARD || manifest?.interface?.responseFormat === JSON_STANDARD;

/** SACP-2: what the agent is asked to answer in, with the stage's own schema. */
export function answerFormat(
  config: StageConfig | undefined,
  manifest: AgentManifest | undefined,
): Pick<EnvelopeParts, "responseFormat" | "outputSchema"> {
  if (!asksForAnswer(config, manifest)) return {};
  const outputSchema = config?.outputSchema;
  return { responseFormat: JSON_STANDARD, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

/** A pack's version as the snapshot knows it. */
export function manifestOf(
  snapshot: Snapshot,
  { packId, packVersion }: { readonly packId: string; readonly packVersion: string },
): AgentManifest | undefined {
  const pack = snapshot.packs[snapshot.places.get(packId) ?? -1];
  return pack?.versions.find(({ version }) => version === packVersion)?.manifest;
}
