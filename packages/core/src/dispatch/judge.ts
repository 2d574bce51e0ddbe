import type { RiskTier } from "@signalbox/contracts";
import { type BreakerPhase, breakerPhase } from "./breaker.ts";
import { byMerit, byRank, type RankedInstance } from "./rank.ts";
import type { InstanceReason, PackReason, VersionReason } from "./reasons.ts";
import type { DispatchRequest } from "./request.ts";
import type { PackEntry, VersionEntry } from "./pack-entry.ts";
import type { Candidate, Candidates, FitCandidate, Snapshot } from "./snapshot.ts";

/** A request as it is judged: on one snapshot, at one moment, at its effective tier. */
export type Question = {
  readonly snapshot: Snapshot;
  readonly request: DispatchRequest;
  readonly riskTier: RiskTier;
  readonly now: number;
};

/**
 * The compatibility gate (A2A 3.3, DSP-10 to DSP-19), in three parts by what they look at. Decision and explanation
 * ask the same functions; each gives the first reason it finds and allocates nothing.
 */
export function packReason(
  pack: PackEntry | undefined,
  candidate: Candidate,
  question: Question,
): PackReason | undefined {
  const { snapshot, request } = question;
  if (request.onlyPackId !== undefined && request.onlyPackId !== candidate.packId) return "not-asked-for";
  if (pack === undefined) return "not-registered";
  const phase = phaseOf(pack, question);
  if (phase === "open") return "breaker-open";
  if (phase === "probing") return "probe-in-flight";
  return pack.dispatches >= snapshot.policy.admission.maxPerPackConcurrent ? "pack-at-capacity" : undefined;
}

export function phaseOf(pack: PackEntry, { snapshot, request, now }: Question): BreakerPhase {
  const breaker = pack.breakers?.get(request.taskType);
  return breaker === undefined
    ? "closed"
    : breakerPhase(breaker, snapshot.policy.admission.circuitBreaker, now);
}

export function versionReason(
  version: VersionEntry,
  candidate: Candidate,
  { riskTier }: Question,
): VersionReason | undefined {
  if (candidate.versions?.has(version.version) === false) return "version-not-allowed";
  if (version.unfit !== undefined) return version.unfit;
  if (!version.acceptedTiers.has(riskTier)) return "risk-tier";
  return version.manifest.safetyTier < riskTier ? "safety-tier" : undefined;
}

/** Whether the manifest alone promises all the tools, so that an instance need not be asked for more. */
export const providesAll = (version: VersionEntry, { request }: Question): boolean =>
  request.requiredTools.every((tool) => version.tools.has(tool));

/** What only another instance or task could mend comes first, so that nobody waits for a full instance in vain. */
export function instanceReason(
  instance: RankedInstance,
  version: VersionEntry,
  providesTools: boolean,
  { snapshot, request, now }: Question,
): InstanceReason | undefined {
  const { standing, degradedTools } = instance;
  if (!providesTools && lacksTool(instance, version, request)) return "tools-missing";
  if (request.excluded !== undefined && isExcluded(instance, request.excluded)) return "excluded";
  if (standing === "quarantined") return standing;
  if (instance.leaseExpiresAt <= now) return "lease-expired";
  if (standing === "draining" || standing === "unhealthy") return standing;
  if (!instance.healthy && snapshot.policy.defaults.requireHealthy) return "degraded";
  if (degradedTools !== undefined && losesTool(degradedTools, request)) return "tools-degraded";
  return standing;
}

const lacksTool = (
  { availableTools }: RankedInstance,
  version: VersionEntry,
  request: DispatchRequest,
): boolean =>
  !request.requiredTools.every((tool) => version.tools.has(tool) || availableTools?.has(tool) === true);

const losesTool = (degraded: ReadonlySet<string>, { requiredTools }: DispatchRequest): boolean =>
  requiredTools.some((tool) => degraded.has(tool));

const isExcluded = ({ facts }: RankedInstance, excluded: NonNullable<DispatchRequest["excluded"]>): boolean =>
  excluded.some((ref) => ref.instanceId === facts.instanceId && ref.packId === facts.packId);

/** Questions differ in few ways; a flood of odd ones may not fill the memory. */
const MOST_REMEMBERED = 64;

/** The candidates with the versions that pass for this tier and these tools, worked out once a tier and tools. */
export function fitAmong({ all, fit }: Candidates, question: Question): readonly FitCandidate[] {
  const key = keyOf(question.riskTier, question.request.requiredTools);
  const known = fit.get(key);
  if (known !== undefined) return known;
  const found = all.flatMap((candidate): FitCandidate[] => {
    const versions = (question.snapshot.packs[candidate.place]?.versions ?? []).flatMap((version, index) =>
      versionReason(version, candidate, question) === undefined
        ? [{ index, providesTools: providesAll(version, question) }]
        : [],
    );
    return versions.length === 0 ? [] : [{ candidate, versions }];
  });
  if (fit.size >= MOST_REMEMBERED) fit.clear();
  fit.set(key, found);
  return found;
}

/** Joining the names of the tools took a third of a decision, and a task's list is asked with again and again. */
const keys = new WeakMap<readonly string[], Map<RiskTier, string>>();

function keyOf(riskTier: RiskTier, requiredTools: readonly string[]): string {
  let ofTools = keys.get(requiredTools);
  if (ofTools === undefined) keys.set(requiredTools, (ofTools = new Map()));
  let key = ofTools.get(riskTier);
  if (key === undefined) ofTools.set(riskTier, (key = `${riskTier} ${requiredTools.join("\n")}`));
  return key;
}

/** DSP-41: the best able instance of the highest version that has one. */
export function bestOfPack(
  pack: PackEntry,
  { versions }: FitCandidate,
  question: Question,
): RankedInstance | undefined {
  for (const { index, providesTools } of versions) {
    const version = pack.versions[index];
    if (version === undefined) continue;
    for (const instance of version.ready) {
      if (instanceReason(instance, version, providesTools, question) === undefined) return instance;
    }
  }
  return undefined;
}

/** DSP-40: merit, then the route's preference, then the ids. */
export function headGoesFirst(
  one: RankedInstance,
  onePreferred: boolean,
  other: RankedInstance,
  otherPreferred: boolean,
): boolean {
  const merit = byMerit(one, other);
  if (merit !== 0) return merit < 0;
  return onePreferred === otherPreferred ? byRank(one, other) < 0 : onePreferred;
}
