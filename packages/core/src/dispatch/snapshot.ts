import type { AgentManifest, RiskTier } from "@signalbox/contracts";
import { compareBuild, satisfies } from "semver";
import { checkOrchestratorVersion } from "../compatibility.ts";
import { allowsVersion, type PackReference, parsePackReference } from "../documents/pack-reference.ts";
import type { Route, RoutingPolicy } from "../documents/routing-policy.ts";
import type { BreakerState } from "./breaker.ts";
import { byRank, type RankedInstance, rankInstance } from "./rank.ts";
import type { VersionReason } from "./reasons.ts";
import type { InstanceFacts, InstanceRef, OrchestratorIdentity } from "./registry-facts.ts";
import { acceptedRiskTiers } from "./risk.ts";

/**
 * The registry and the policy, made ready for decisions. It never changes: a change gives another snapshot that
 * shares all but what changed, so that a decision and its explanation see the same facts however much later.
 */
export type Snapshot = {
  readonly policy: RoutingPolicy;
  readonly orchestrator: OrchestratorIdentity;
  /** Since when heartbeats are heard without a break: before that, silence means nothing. */
  readonly listeningSince: number;
  readonly routes: ReadonlyMap<string, CompiledRoute>;
  readonly packs: readonly PackEntry[];
  /** Where a pack stands in `packs`. */
  readonly places: ReadonlyMap<string, number>;
};

export type CompiledRoute = {
  readonly route: Route;
  readonly allowed: Candidates;
  /** D23: the route's, or the default's where the route says nothing; one or none. */
  readonly fallback: Candidates;
};

export type Candidates = {
  readonly all: readonly Candidate[];
  /** What `fitAmong` found for earlier questions. Only versions and the policy decide it, so no instance ages it. */
  readonly fit: Map<string, readonly FitCandidate[]>;
};

/** A candidate with those of its versions that fit a question whatever their instances do. */
export type FitCandidate = {
  readonly candidate: Candidate;
  readonly versions: readonly { readonly index: number; readonly providesTools: boolean }[];
};

export type Candidate = {
  readonly packId: string;
  /** Place in the snapshot's packs; -1 when no pack of this id is registered. */
  readonly place: number;
  readonly preferred: boolean;
  /** The registered versions that a pin allows; undefined without a pin. */
  readonly versions: ReadonlySet<string> | undefined;
};

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

export type RegistryFacts = {
  readonly packs: readonly AgentManifest[];
  readonly instances: readonly InstanceFacts[];
  readonly breakers?: readonly BreakerFacts[];
  readonly listeningSince?: number;
};
export type BreakerFacts = {
  readonly packId: string;
  readonly taskType: string;
  readonly state: BreakerState;
};

export function compileSnapshot(
  policy: RoutingPolicy,
  orchestrator: OrchestratorIdentity,
  facts: RegistryFacts,
): Snapshot {
  const manifests = Map.groupBy(facts.packs, (manifest) => manifest.packId);
  const instances = Map.groupBy(facts.instances, (instance) => instance.packId);
  const breakers = Map.groupBy(facts.breakers ?? [], (breaker) => breaker.packId);
  const packs = [...manifests].map(([packId, versions]) =>
    packEntry(packId, versions, instances.get(packId) ?? [], orchestrator, byTaskType(breakers.get(packId))),
  );
  const places = new Map(packs.map((pack, place) => [pack.packId, place]));
  const listeningSince = facts.listeningSince ?? Number.NEGATIVE_INFINITY;
  return {
    policy,
    orchestrator,
    listeningSince,
    packs,
    places,
    routes: compileRoutes(policy, packs, places),
  };
}

const byTaskType = (breakers: readonly BreakerFacts[] = []): ReadonlyMap<string, BreakerState> | undefined =>
  breakers.length === 0 ? undefined : new Map(breakers.map(({ taskType, state }) => [taskType, state]));

/** Another policy over the same registry. */
export const withPolicy = (snapshot: Snapshot, policy: RoutingPolicy): Snapshot => ({
  ...snapshot,
  policy,
  routes: compileRoutes(policy, snapshot.packs, snapshot.places),
});

/** A version of a pack that was registered; one that is there already changes nothing, for versions never change. */
export function withPack(snapshot: Snapshot, manifest: AgentManifest): Snapshot {
  const { packs: before, orchestrator, policy } = snapshot;
  const place = snapshot.places.get(manifest.packId) ?? before.length;
  const pack = before[place];
  if (pack?.versions.some(({ version }) => version === manifest.packVersion) === true) return snapshot;
  const manifests = [...(pack?.versions.map((entry) => entry.manifest) ?? []), manifest];
  const instances = pack === undefined ? [] : instancesOf(pack);
  const entry = packEntry(manifest.packId, manifests, instances, orchestrator, pack?.breakers);
  const packs = place === before.length ? [...before, entry] : before.with(place, entry);
  const places =
    place === before.length ? new Map([...snapshot.places, [manifest.packId, place]]) : snapshot.places;
  return { ...snapshot, packs, places, routes: compileRoutes(policy, packs, places) };
}

/** What is now known of an instance. One of a pack that is not registered is not kept. */
export function withInstance(snapshot: Snapshot, facts: InstanceFacts): Snapshot {
  return withEntry(
    snapshot,
    facts.packId,
    (entry) => placedAnew(entry, facts) ?? placed(withoutInstanceOf(entry, facts.instanceId), facts),
  );
}

/** The same for many at once, for what a registry hears in a moment: each pack is put in order once. */
export function withInstances(snapshot: Snapshot, facts: readonly InstanceFacts[]): Snapshot {
  const packs = [...snapshot.packs];
  for (const [packId, own] of Map.groupBy(facts, (one) => one.packId)) {
    const place = snapshot.places.get(packId) ?? -1;
    const entry = packs[place];
    if (entry !== undefined) packs[place] = placedTogether(entry, own);
  }
  return { ...snapshot, packs };
}

export const withoutInstance = (snapshot: Snapshot, { packId, instanceId }: InstanceRef): Snapshot =>
  withEntry(snapshot, packId, (entry) => withoutInstanceOf(entry, instanceId));

/** One dispatch more, or one less, with an instance. */
export function withDispatches(snapshot: Snapshot, ref: InstanceRef, change: 1 | -1): Snapshot {
  const facts = findInstance(snapshot, ref);
  if (facts === undefined) return snapshot;
  return withInstance(snapshot, { ...facts, dispatches: Math.max(0, facts.dispatches + change) });
}

export const withBreaker = (snapshot: Snapshot, { packId, taskType, state }: BreakerFacts): Snapshot =>
  withEntry(snapshot, packId, (entry) => ({
    ...entry,
    breakers: new Map([...(entry.breakers ?? []), [taskType, state]]),
  }));

export function findInstance(
  snapshot: Snapshot,
  { packId, instanceId }: InstanceRef,
): InstanceFacts | undefined {
  const entry = snapshot.packs[snapshot.places.get(packId) ?? -1];
  for (const { instances } of entry?.versions ?? []) {
    const found = instances.find(({ facts }) => facts.instanceId === instanceId);
    if (found !== undefined) return found.facts;
  }
  return entry?.strays.find((facts) => facts.instanceId === instanceId);
}

const instancesOf = ({ versions, strays }: PackEntry): InstanceFacts[] => [
  ...versions.flatMap(({ instances }) => instances.map(({ facts }) => facts)),
  ...strays,
];

function withEntry(snapshot: Snapshot, packId: string, change: (entry: PackEntry) => PackEntry): Snapshot {
  const place = snapshot.places.get(packId);
  const entry = place === undefined ? undefined : snapshot.packs[place];
  if (place === undefined || entry === undefined) return snapshot;
  return { ...snapshot, packs: snapshot.packs.with(place, change(entry)) };
}

function withoutInstanceOf(entry: PackEntry, instanceId: string): PackEntry {
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

function placedTogether(entry: PackEntry, facts: readonly InstanceFacts[]): PackEntry {
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

function packEntry(
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

function compileRoutes(
  policy: RoutingPolicy,
  packs: readonly PackEntry[],
  places: ReadonlyMap<string, number>,
): ReadonlyMap<string, CompiledRoute> {
  const candidate = (text: string, preferred: string | undefined): Candidate => {
    const reference = parsePackReference(text);
    const place = places.get(reference.packId) ?? -1;
    return {
      packId: reference.packId,
      place,
      preferred: reference.packId === preferred,
      versions: pinnedVersions(reference, packs[place]),
    };
  };
  return new Map(
    policy.routes.map((route) => {
      const said = route.fallbackPackId === undefined ? policy.defaults.fallbackPackId : route.fallbackPackId;
      const allowed = route.allowedPackIds.map((text) => candidate(text, route.preferredPackId));
      const fallback = said === undefined || said === null ? [] : [candidate(said, undefined)];
      return [route.taskType, { route, allowed: unasked(allowed), fallback: unasked(fallback) }];
    }),
  );
}

const unasked = (all: readonly Candidate[]): Candidates => ({ all, fit: new Map() });

function pinnedVersions(
  reference: PackReference,
  pack: PackEntry | undefined,
): ReadonlySet<string> | undefined {
  if (reference.versions === undefined) return undefined;
  const registered = pack?.versions.map(({ version }) => version) ?? [];
  return new Set(registered.filter((version) => allowsVersion(reference, version)));
}
