import type { RiskTier } from "@signalbox/contracts";
import type { BreakerState } from "./breaker.ts";
import { ask, decideDispatch, type DispatchDecision } from "./decide-dispatch.ts";
import {
  bestOfPack,
  fitAmong,
  headGoesFirst,
  instanceReason,
  packReason,
  providesAll,
  type Question,
  versionReason,
} from "./judge.ts";
import type { RankedInstance } from "./rank.ts";
import type { InstanceReason, PackReason, VersionReason } from "./reasons.ts";
import type { InstanceFacts, InstanceRef, OrchestratorIdentity } from "./registry-facts.ts";
import type { DispatchRequest } from "./request.ts";
import { effectiveRiskTier } from "./risk.ts";
import type { PackEntry, VersionEntry } from "./pack-entry.ts";
import type { Candidate, CompiledRoute, Snapshot } from "./snapshot.ts";

/** A decision with all that it was taken on: enough to take it again, under this policy or another (DSP-60). */
export type Explanation = {
  readonly decision: DispatchDecision;
  readonly policyVersion: string;
  readonly orchestrator: OrchestratorIdentity;
  readonly request: DispatchRequest;
  readonly riskTier: RiskTier;
  readonly decidedAt: number;
  readonly listeningSince: number | undefined;
  /** Every pack that was weighed, in the policy's order, the fallback last. */
  readonly candidates: readonly CandidateJudgement[];
  /** The packs that could take the task, best first, at most `max_candidate_agents` of them. */
  readonly ranking: readonly RankedPack[];
};

export type RankedPack = InstanceRef & { readonly packVersion: string };

export type CandidateJudgement = {
  readonly packId: string;
  readonly role: "allowed" | "fallback";
  readonly preferred: boolean;
  /** Undefined: nothing stands against the pack as a whole. */
  readonly reason: PackReason | undefined;
  readonly dispatches: number;
  readonly breaker: BreakerState | undefined;
  readonly versions: readonly VersionJudgement[];
  readonly strays: readonly InstanceFacts[];
};
export type VersionJudgement = {
  readonly version: string;
  readonly reason: VersionReason | "tools-missing" | undefined;
  readonly instances: readonly InstanceJudgement[];
};
export type InstanceJudgement = {
  readonly reason: InstanceReason | undefined;
  readonly facts: InstanceFacts;
};

/**
 * Why a decision was taken, from the snapshot it was taken on. That one does not change, so this may be done much later;
 * who still has the decision need not have it taken again.
 */
export function explainDispatch(
  snapshot: Snapshot,
  request: DispatchRequest,
  now: number,
  decision: DispatchDecision = decideDispatch(snapshot, request, now),
): Explanation {
  const route = snapshot.routes.get(request.taskType);
  const question = route && ask(snapshot, route, request, now);
  return {
    decision,
    policyVersion: snapshot.policy.version,
    orchestrator: snapshot.orchestrator,
    request,
    riskTier: question?.riskTier ?? effectiveRiskTier(request.riskTier, undefined),
    decidedAt: now,
    listeningSince: Number.isFinite(snapshot.listeningSince) ? snapshot.listeningSince : undefined,
    candidates: route && question ? judgeAll(route, question) : [],
    ranking:
      route && question && decision.kind === "selected" ? rank(route, question, decision.viaFallback) : [],
  };
}

const judgeAll = ({ allowed, fallback }: CompiledRoute, question: Question): CandidateJudgement[] => [
  ...allowed.all.map((candidate) => judge(candidate, "allowed", question)),
  ...fallback.all.map((candidate) => judge(candidate, "fallback", question)),
];

function judge(candidate: Candidate, role: "allowed" | "fallback", question: Question): CandidateJudgement {
  const pack = question.snapshot.packs[candidate.place];
  const reason = packReason(pack, candidate, question);
  return {
    packId: candidate.packId,
    role,
    preferred: candidate.preferred,
    reason: reason ?? (pack !== undefined && hasNoInstance(pack) ? "no-instance" : undefined),
    dispatches: pack?.dispatches ?? 0,
    breaker: pack?.breakers?.get(question.request.taskType),
    versions: pack?.versions.map((version) => judgeVersion(version, candidate, question)) ?? [],
    strays: pack?.strays ?? [],
  };
}

const hasNoInstance = ({ versions }: PackEntry): boolean =>
  versions.every(({ instances }) => instances.length === 0);

function judgeVersion(version: VersionEntry, candidate: Candidate, question: Question): VersionJudgement {
  const providesTools = providesAll(version, question);
  const lacking = version.instances.length === 0 && !providesTools ? "tools-missing" : undefined;
  return {
    version: version.version,
    reason: versionReason(version, candidate, question) ?? lacking,
    instances: version.instances.map((instance) => ({
      reason: instanceReason(instance, version, providesTools, question),
      facts: instance.facts,
    })),
  };
}

/** DSP-42: a pack stands where its best able instance stands. */
function rank(route: CompiledRoute, question: Question, viaFallback: boolean): RankedPack[] {
  const heads = fitAmong(viaFallback ? route.fallback : route.allowed, question).flatMap((fit) => {
    const pack = question.snapshot.packs[fit.candidate.place];
    if (pack === undefined || packReason(pack, fit.candidate, question) !== undefined) return [];
    const instance = bestOfPack(pack, fit, question);
    return instance === undefined ? [] : [{ instance, preferred: fit.candidate.preferred }];
  });
  return heads
    .toSorted((one, other) =>
      headGoesFirst(one.instance, one.preferred, other.instance, other.preferred) ? -1 : 1,
    )
    .slice(0, question.snapshot.policy.defaults.maxCandidateAgents)
    .map(({ instance }) => rankedPack(instance));
}

const rankedPack = ({ facts, version }: RankedInstance): RankedPack => ({
  packId: facts.packId,
  instanceId: facts.instanceId,
  packVersion: version,
});

/** Each pack once: the fallback may be an allowed pack as well. */
export const packsWeighed = ({ candidates }: Pick<Explanation, "candidates">): string[] => {
  const names = candidates.map(({ packId }) => packId);
  return names.length < 2 ? names : [...new Set(names)];
};

/** DSP-54: the quarantined instance that a person may restore, where only that stands in the way. */
export function restorableInstance({ decision, candidates }: Explanation): InstanceRef | undefined {
  if (decision.kind !== "escalate" || decision.reason !== "only-quarantined") return undefined;
  const judged = candidates.flatMap(({ versions }) =>
    versions.filter(({ reason }) => reason === undefined).flatMap(({ instances }) => instances),
  );
  const found = judged.find(({ reason }) => reason === "quarantined");
  return found && { packId: found.facts.packId, instanceId: found.facts.instanceId };
}
