import type { AgentManifest } from "@signalbox/contracts";
import {
  type BreakerFacts,
  compileSnapshot,
  factsOfInstance,
  findInstance,
  type InstanceRef,
  type KnownInstance,
  mayForget,
  type OrchestratorIdentity,
  type Snapshot,
  withBreaker,
  withDispatches,
  withInstance,
  withInstances,
  withoutInstance,
  withPack,
  withPolicy,
} from "@signalbox/core";
import type { PolicyInForce } from "../documents/document-cache.ts";
import { addTo, instanceKey, type OpenCounts } from "./open-counts.ts";

type Dated<T> = { change: number; value: T };

/** What is newer than what is held, each with the registry's change that brought it. */
export type RegistryNews = {
  packs: readonly AgentManifest[];
  instances: readonly Dated<KnownInstance>[];
  breakers: readonly Dated<BreakerFacts>[];
};

/** A tenant's registry in memory. It only ever changes here, and each change leaves earlier snapshots as they are. */
export type HeldRegistry = {
  snapshot: Snapshot;
  inForce: PolicyInForce;
  policyVersion: string | undefined;
  /** All that changed up to here is in it. */
  change: number;
  /** Of each instance and breaker: news may come twice, and late, from lanes that loaded side by side. */
  readonly changes: Map<string, number>;
  /** Instances on probation (D7), as far as is known: few, and mostly none. */
  readonly onProbation: Set<string>;
  open: OpenCounts;
  /** When the counts were last taken from the database, and whether nothing was under way then. */
  countedAt: number;
  countsExact: boolean;
  prunedAt: number;
  usedAt: number;
  /** What it holds may be wrong: whoever asks next has it loaded anew. */
  stale: boolean;
};

export function newRegistry(
  orchestrator: OrchestratorIdentity,
  { inForce, policyVersion, listeningSince, news, open, countsExact, change, now }: NewRegistry,
): HeldRegistry {
  const held: HeldRegistry = {
    snapshot: compileSnapshot(inForce.policy, orchestrator, {
      packs: news.packs,
      instances: news.instances.map(({ value }) => factsOfInstance(value, countOf(open, value))),
      breakers: news.breakers.map(({ value }) => value),
      listeningSince,
    }),
    inForce,
    policyVersion,
    change,
    changes: new Map(),
    onProbation: new Set(),
    open,
    countedAt: now,
    countsExact,
    prunedAt: now,
    usedAt: now,
    stale: false,
  };
  for (const { change: at, value } of news.instances) {
    held.changes.set(instanceKey(value.heartbeat), at);
    noteProbation(held, value);
  }
  for (const { change: at, value } of news.breakers) held.changes.set(breakerKey(value), at);
  return held;
}

function noteProbation({ onProbation }: HeldRegistry, { heartbeat, standing }: KnownInstance): void {
  if (standing.probationSince === null) onProbation.delete(instanceKey(heartbeat));
  else onProbation.add(instanceKey(heartbeat));
}

type NewRegistry = Pick<HeldRegistry, "inForce" | "policyVersion" | "open" | "countsExact" | "change"> & {
  listeningSince: number;
  news: RegistryNews;
  now: number;
};

const countOf = (open: OpenCounts, { heartbeat }: KnownInstance) => open.get(instanceKey(heartbeat)) ?? 0;
const breakerKey = ({ packId, taskType }: BreakerFacts) => `${packId}\r${taskType}`;

/** Takes in what is newer; what is known as new already, or newer, is passed over. */
export function takeNews(held: HeldRegistry, news: RegistryNews, change: number): void {
  let { snapshot } = held;
  for (const manifest of news.packs) snapshot = withPack(snapshot, manifest);
  const heard = news.instances.filter(({ change: at, value }) =>
    isNews(held, instanceKey(value.heartbeat), at),
  );
  for (const { value } of heard) noteProbation(held, value);
  const facts = heard.map(({ value }) => factsOfInstance(value, countOf(held.open, value)));
  const [one, ...more] = facts;
  // One is put in its place; of many each pack is put in order once.
  if (one !== undefined)
    snapshot = more.length === 0 ? withInstance(snapshot, one) : withInstances(snapshot, facts);
  for (const { change: at, value } of news.breakers) {
    if (isNews(held, breakerKey(value), at)) snapshot = withBreaker(snapshot, value);
  }
  held.snapshot = snapshot;
  held.change = Math.max(held.change, change);
}

function isNews({ changes }: HeldRegistry, key: string, at: number): boolean {
  if ((changes.get(key) ?? -1) >= at) return false;
  changes.set(key, at);
  return true;
}

export function takePolicy(
  held: HeldRegistry,
  inForce: PolicyInForce,
  policyVersion: string | undefined,
): void {
  held.inForce = inForce;
  held.policyVersion = policyVersion;
  held.snapshot = withPolicy(held.snapshot, inForce.policy);
}

export function takeListeningSince(held: HeldRegistry, listeningSince: number): void {
  held.snapshot = { ...held.snapshot, listeningSince };
}

/** One dispatch more, or one less, at once. */
export function takeDelta(held: HeldRegistry, ref: InstanceRef, change: 1 | -1): void {
  addTo(held.open, instanceKey(ref), change);
  held.snapshot = withDispatches(held.snapshot, ref, change);
}

/** The counts as the database has them, with what is under way. */
export function takeCounts(
  held: HeldRegistry,
  { open, countsExact }: Pick<HeldRegistry, "open" | "countsExact">,
): void {
  const recounted = [...new Set([...held.open.keys(), ...open.keys()])].flatMap((key) => {
    const facts = findInstance(held.snapshot, refOf(key));
    const dispatches = Math.max(0, open.get(key) ?? 0);
    return facts === undefined || facts.dispatches === dispatches ? [] : [{ ...facts, dispatches }];
  });
  if (recounted.length > 0) held.snapshot = withInstances(held.snapshot, recounted);
  held.open = open;
  held.countsExact = countsExact;
}

function refOf(key: string): InstanceRef {
  const end = key.indexOf("\n");
  return { packId: key.slice(0, end), instanceId: key.slice(end + 1) };
}

/** INST-3: what the database forgets is forgotten here by the same rule; one that comes back is news. */
export function prune(held: HeldRegistry, now: number): void {
  let { snapshot } = held;
  const known = snapshot.packs.flatMap(({ versions, strays }) => [
    ...versions.flatMap(({ instances }) => instances.map(({ facts }) => facts)),
    ...strays,
  ]);
  for (const facts of known) {
    if (!mayForget(facts, now)) continue;
    snapshot = withoutInstance(snapshot, facts);
    held.changes.delete(instanceKey(facts));
    held.onProbation.delete(instanceKey(facts));
  }
  held.snapshot = snapshot;
  held.prunedAt = now;
}
