import type { AgentManifest, RiskTier } from "@signalbox/contracts";
import { compareBuild, satisfies } from "semver";
import { checkOrchestratorVersion } from "../compatibility.ts";
import type { BreakerState } from "./breaker.ts";
import { byRank, type RankedInstance, rankInstance } from "./rank.ts";
import type { VersionReason } from "./reasons.ts";
import type { InstanceFacts, OrchestratorIdentity } from "./registry-facts.ts";
import { acceptedRiskTiers } from "./risk.ts";

/** A pack as a snapshot has it. What changes one gives another that shares all but what changed. */
export type PackEntry = {
  readonly packId: string;
  /** The highest version first. */
  readonly versions: readonly VersionEntry[];
  /** Instances of versions that are not registered. */
  readonly strays: readonly InstanceFacts[];
  /** Dispatches that are with its instances now. */
  readonly dispatches: number;
  /** By task type; a pair that has none is closed, and most packs have none at all. */
  readonly breakers: ReadonlyMap<string, BreakerState> | undefined;
};

export type VersionEntry = {
  readonly version: string;
  readonly manifest: AgentManifest;
  /** What no request changes. */
  readonly unfit: VersionReason | undefined;
  readonly acceptedTiers: ReadonlySet<RiskTier>;
  readonly tools: ReadonlySet<string>;
  /** In the order of rank. */
  readonly instances: readonly RankedInstance[];
  /** Those of them that nothing but time, the policy and the question could keep from a task. */
  readonly ready: readonly RankedInstance[];
};

export const instancesOf = ({ versions, strays }: PackEntry): InstanceFacts[] => [
  ...versions.flatMap(({ instances }) => instances.map(({ facts }) => facts)),
  ...strays,
];

export function withoutInstanceOf(entry: PackEntry, instanceId: string): PackEntry {
  for (const [index, version] of entry.versions.entries()) {
    const at = version.instances.findIndex(({ facts }) => facts.instanceId === instanceId);
    const found = version.instances[at];
    if (found === undefined) continue;
    const versions = entry.versions.with(index, withRanked(version, version.instances.toSpliced(at, 1)));
    return { ...entry, versions, dispatches: entry.dispatches - found.facts.dispatches };
  }
  const stray = entry.strays.find((facts) => facts.instanceId === instanceId);
  if (stray === undefined) return entry;
  const strays = entry.strays.filter((facts) => facts !== stray);
  return { ...entry, strays, dispatches: entry.dispatches - stray.dispatches };
}

/** With what is now known of an instance. */
export const withInstanceIn = (entry: PackEntry, facts: InstanceFacts): PackEntry =>
  placedAnew(entry, facts) ?? placed(withoutInstanceOf(entry, facts.instanceId), facts);

function placed(entry: PackEntry, facts: InstanceFacts): PackEntry {
  const index = versionIndex(entry.versions, facts.packVersion);
  const version = entry.versions[index];
  if (version !== undefined)
    return placedIn(entry, index, withRankOf(version, version.instances, facts), facts);
  return { ...entry, strays: [...entry.strays, facts], dispatches: entry.dispatches + facts.dispatches };
}

/** One that stays with its version, which nearly every change leaves it: moved there, and all else is shared. */
function placedAnew(entry: PackEntry, facts: InstanceFacts): PackEntry | undefined {
  const index = versionIndex(entry.versions, facts.packVersion);
  const version = entry.versions[index];
  const at = version?.instances.findIndex((one) => one.facts.instanceId === facts.instanceId) ?? -1;
  const before = version?.instances[at];
  if (version === undefined || before === undefined) return undefined;
  const others = version.instances.toSpliced(at, 1);
  return placedIn(entry, index, withRankOf(version, others, facts), facts, before.facts);
}

const placedIn = (
  entry: PackEntry,
  index: number,
  version: VersionEntry,
  facts: InstanceFacts,
  before?: InstanceFacts,
): PackEntry => ({
  ...entry,
  versions: entry.versions.with(index, version),
  dispatches: entry.dispatches + facts.dispatches - (before?.dispatches ?? 0),
});

function withRankOf(
  version: VersionEntry,
  others: readonly RankedInstance[],
  facts: InstanceFacts,
): VersionEntry {
  const ranked = rankInstance(facts, version.manifest);
  const after = others.findIndex((other) => byRank(ranked, other) < 0);
  return withRanked(version, others.toSpliced(after < 0 ? others.length : after, 0, ranked));
}

export function placedTogether(entry: PackEntry, facts: readonly InstanceFacts[]): PackEntry {
  // Of an instance that is told of twice the later word counts.
  const told = new Map(facts.map((one) => [one.instanceId, one]));
  const isUntold = ({ instanceId }: InstanceFacts) => !told.has(instanceId);
  const ofVersion = Map.groupBy(told.values(), (one) => versionIndex(entry.versions, one.packVersion));
  const versions = entry.versions.map((version, index) => {
    const kept = version.instances.filter((ranked) => isUntold(ranked.facts));
    const added = ofVersion.get(index) ?? [];
    if (kept.length === version.instances.length && added.length === 0) return version;
    const ranked = added.map((one) => rankInstance(one, version.manifest));
    return withRanked(version, [...kept, ...ranked].toSorted(byRank));
  });
  const isStray = ({ packVersion }: InstanceFacts) =>
    versions[versionIndex(versions, packVersion)] === undefined;
  const strays = [...entry.strays.filter(isUntold), ...[...told.values()].filter(isStray)];
  const bare: PackEntry = { ...entry, versions, strays };
  return { ...bare, dispatches: instancesOf(bare).reduce((sum, { dispatches }) => sum + dispatches, 0) };
}

const withRanked = (version: VersionEntry, instances: readonly RankedInstance[]): VersionEntry => ({
  ...version,
  instances,
  ready: instances.filter(({ standing }) => standing === undefined),
});

/** An instance that names no version counts as one of the highest that is registered. */
const versionIndex = (versions: readonly VersionEntry[], packVersion: string | undefined): number =>
  packVersion === undefined ? 0 : versions.findIndex(({ version }) => version === packVersion);

export function packEntry(
  packId: string,
  manifests: readonly AgentManifest[],
  instances: readonly InstanceFacts[],
  orchestrator: OrchestratorIdentity,
  breakers: ReadonlyMap<string, BreakerState> | undefined,
): PackEntry {
  const versions = manifests
    .toSorted((one, other) => compareBuild(other.packVersion, one.packVersion))
    .map((manifest) => versionEntry(manifest, orchestrator));
  const bare: PackEntry = { packId, versions, strays: [], dispatches: 0, breakers };
  return placedTogether(bare, instances);
}

const versionEntry = (manifest: AgentManifest, orchestrator: OrchestratorIdentity): VersionEntry => ({
  version: manifest.packVersion,
  manifest,
  unfit: unfit(manifest, orchestrator),
  acceptedTiers: acceptedRiskTiers(manifest),
  tools: new Set(manifest.providedTools),
  instances: [],
  ready: [],
});

/** DSP-10, DSP-11 (A2A 3.3). */
function unfit(manifest: AgentManifest, orchestrator: OrchestratorIdentity): VersionReason | undefined {
  const ranges = manifest.interface?.supportedSchemaVersions ?? [];
  const speaks = ranges.some((range) =>
    satisfies(orchestrator.schemaVersion, range, { includePrerelease: true }),
  );
  if (!speaks) return "schema-version";
  const tooOld =
    checkOrchestratorVersion(manifest.minOrchestratorVersion, orchestrator.version) !== undefined;
  return tooOld ? "orchestrator-version" : undefined;
}
