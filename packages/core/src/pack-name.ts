import type { AgentManifest, Violation } from "@signalbox/contracts";
import { findIdentifierFaults, identifierLimits } from "./identifier.ts";

/** REG-9: what keeps a pack from being found again under its name: a version never changes, so it is refused before it is kept. */
export const findPackNameFaults = ({
  packId,
  packVersion,
}: Pick<AgentManifest, "packId" | "packVersion">): Violation[] => [
  ...findIdentifierFaults("pack_id", packId, identifierLimits.packId),
  ...findIdentifierFaults("pack_version", packVersion, identifierLimits.packVersion),
];
