import { RiskTier } from "@signalbox/contracts";
import { noPolicy } from "../documents/no-policy.ts";
import type { DispatchDecision } from "./decide-dispatch.ts";
import type { CandidateJudgement, Explanation } from "./explain-dispatch.ts";
import type { EscalationReason, RejectionReason, WaitReason } from "./reasons.ts";

/** Each reason in words, after the name of what it is said of. */
const rejections: Readonly<Record<RejectionReason, string>> = {
  "not-registered": "is not registered",
  "not-asked-for": "is not the pack that the handoff named",
  "breaker-open": "is cut off by its circuit breaker after repeated failures",
  "probe-in-flight": "is being tried with one task after repeated failures",
  "pack-at-capacity": "has as many tasks as the policy allows one pack",
  "no-instance": "has no instance running",
  "version-not-registered": "runs a version that is not registered",
  "version-not-allowed": "is not a version that the policy allows",
  "schema-version": "does not speak this orchestrator's schema version",
  "orchestrator-version": "needs a newer orchestrator",
  "risk-tier": "does not accept the task's risk tier",
  "safety-tier": "is not trusted with the task's risk tier",
  "tools-missing": "lacks a tool that the contract needs",
  "tools-degraded": "has a tool that the contract needs, but it does not work now",
  excluded: "was passed over, for it was sent this stage before and gave no result",
  quarantined: "is quarantined",
  "lease-expired": "has not been heard of since its lease ended",
  draining: "was asked to drain, and takes no more work",
  unhealthy: "says that it is unhealthy",
  degraded: "is not healthy, and the policy asks for healthy instances",
  "at-capacity": "has as many tasks as it can take",
};

export const rejectionText = (reason: RejectionReason): string => rejections[reason];

const waits: Readonly<Record<WaitReason, string>> = {
  busy: "Every pack that can take it is busy",
  away: "No pack that can take it is there now",
  behind: "Others wait for its task type, and came first",
};

export const waitText = (reason: WaitReason): string => waits[reason];

const tiers: Readonly<Record<number, string>> = {
  [RiskTier.LOW]: "LOW",
  [RiskTier.NORMAL]: "NORMAL",
  [RiskTier.CRITICAL]: "CRITICAL",
};

const problems: Readonly<Record<EscalationReason, (explanation: Explanation) => string>> = {
  "deadline-passed": () => "its deadline passed before anybody could start",
  "queue-full": ({ request }) => `the queue is full, with ${request.queueDepth} stages waiting`,
  "no-route": ({ policyVersion }) =>
    policyVersion === noPolicy.version
      ? "no routing policy has been published"
      : `routing policy ${policyVersion} has no route for it`,
  "breakers-open": ({ candidates, request }) =>
    `the breaker of every pack that may do it is open (${listed(candidates.flatMap(openSince))}), ` +
    `with ${request.queueDepth} stages waiting`,
  "no-compatible-pack": ({ riskTier, request: { requiredTools } }) => {
    const tools = requiredTools.length === 0 ? "" : ` with the tools ${listed(requiredTools)}`;
    return `no pack that may do it can, at risk tier ${tiers[riskTier] ?? riskTier}${tools}`;
  },
  "only-quarantined": () => "every instance that could do it is quarantined",
  unavailable: () => "no instance that could do it has been available for too long",
  "waited-too-long": () => "every instance that could do it stayed busy for too long",
};

/** A2A 5.4: an admission that rejects says the breakers' state and the queue's depth, in the question itself. */
const openSince = ({ packId, breaker }: CandidateJudgement): string[] =>
  breaker?.kind === "open" ? [`${packId} since ${new Date(breaker.openedAt).toISOString()}`] : [];

/** The decision in a sentence or two, for the audit entry's rationale and for the person who is asked. */
export function decisionText(explanation: Explanation): string {
  const { decision, request, policyVersion } = explanation;
  const task = `Task type "${request.taskType}"`;
  const rejected = explanation.candidates.flatMap(rejectionsOf);
  const why = rejected.length === 0 ? "" : ` Against the others: ${rejected.join("; ")}.`;
  if (decision.kind === "selected") return `${task}: ${selectionText(decision, explanation)}${why}`;
  const against = rejected.length === 0 ? "" : ` ${rejected.join("; ")}.`;
  if (decision.kind === "escalate")
    return `${task} cannot be dispatched: ${problems[decision.reason](explanation)}.${against}`;
  const until = decision.reason === "busy" ? "until work finishes" : "for somebody to come back";
  return `${task} waits ${until}, under routing policy ${policyVersion}.${against}`;
}

/** What stands against each pack that could not take the task; empty where nothing does. */
export const rejectionsText = ({ candidates }: Pick<Explanation, "candidates">): string => {
  const rejected = candidates.flatMap(rejectionsOf);
  return rejected.length === 0 ? "" : `${rejected.join("; ")}.`;
};

function selectionText(decision: DispatchDecision & { kind: "selected" }, explanation: Explanation): string {
  const { packId, packVersion, instanceId } = decision;
  const way = decision.viaFallback
    ? "the fallback, for no allowed pack is able"
    : `the best of ${explanation.ranking.length}`;
  const probe = decision.probe ? " It tries whether the pack works again." : "";
  return `${packId} ${packVersion} on ${instanceId}, ${way} under routing policy ${explanation.policyVersion}.${probe}`;
}

/** Of every pack that nothing in it could take the task: what stands against it, each reason once. */
function rejectionsOf({ packId, reason, versions }: CandidateJudgement): string[] {
  if (reason !== undefined) return [`${packId} ${rejectionText(reason)}`];
  const able = versions.some(
    (version) =>
      version.reason === undefined && version.instances.some((instance) => instance.reason === undefined),
  );
  if (able) return [];
  const reasons = versions.flatMap((version): { name: string; reason: RejectionReason | undefined }[] =>
    version.reason === undefined
      ? version.instances.map((instance) => ({
          name: `instance ${instance.facts.instanceId}`,
          reason: instance.reason,
        }))
      : [{ name: `version ${version.version}`, reason: version.reason }],
  );
  const names = Map.groupBy(reasons, (one) => one.reason);
  return [...names].flatMap(([found, said]) =>
    found === undefined ? [] : [`${packId}: ${listed(said.map(({ name }) => name))} ${rejectionText(found)}`],
  );
}

const MOST_NAMED = 3;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${more} more` : names.join(", ");
}
