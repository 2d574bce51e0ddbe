import type { AgentManifest } from "@signalbox/contracts";
import { allowsVersion, type PackReference, parsePackReference } from "../documents/pack-reference.ts";
import type { Route, RoutingPolicy } from "../documents/routing-policy.ts";
import type { BreakerState } from "./breaker.ts";
import {
  instancesOf,
  type PackEntry,
  packEntry,
  placedTogether,
  withInstanceIn,
  withoutInstanceOf,
} from "./pack-entry.ts";
import type { InstanceFacts, InstanceRef, OrchestratorIdentity } from "./registry-facts.ts";

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
  return withEntry(snapshot, facts.packId, (entry) => withInstanceIn(entry, facts));
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

function withEntry(snapshot: Snapshot, packId: string, change: (entry: PackEntry) => PackEntry): Snapshot {
  const place = snapshot.places.get(packId);
  const entry = place === undefined ? undefined : snapshot.packs[place];
  if (place === undefined || entry === undefined) return snapshot;
  return { ...snapshot, packs: snapshot.packs.with(place, change(entry)) };
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
