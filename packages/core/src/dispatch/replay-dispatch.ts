import type { AgentManifest } from "@signalbox/contracts";
import type { RoutingPolicy } from "../documents/routing-policy.ts";
import type { DispatchDecision } from "./decide-dispatch.ts";
import { readDispatchRecord, type RecordedFacts } from "./dispatch-record.ts";
import { explainDispatch } from "./explain-dispatch.ts";
import { decisionText } from "./reason-text.ts";
import { type CompiledRoute, compileSnapshot } from "./snapshot.ts";

/** Where a task went, or that nobody could take it. */
export type Destination = { readonly outcome: string; readonly packId: string | undefined };

export type ReplayedDispatch = {
  readonly facts: RecordedFacts;
  readonly before: Destination;
} & (
  | { readonly kind: "same" }
  | { readonly kind: "elsewhere"; readonly after: Destination; readonly why: string }
  /** Packs that the policy of that moment did not name: nobody wrote down how they were then. */
  | { readonly kind: "unknown"; readonly packIds: readonly string[] }
);

/** What a policy must know of packs to take a decision again: manifests, which never change. */
export type RegisteredManifests = ReadonlyMap<string, readonly AgentManifest[]>;

/**
 * DSP-110: the decision (`DispatchSnapshot.rejection_reasons`) taken again, on the facts of its moment, under another policy.
 * Throws where it is no record.
 */
export function replayDispatch(
  rejectionReasons: string,
  policy: RoutingPolicy,
  manifests: RegisteredManifests,
): ReplayedDispatch {
  const facts = readDispatchRecord(rejectionReasons);
  const before: Destination = { outcome: facts.outcome, packId: facts.chosenPackId };
  const versions = new Set(facts.packVersions.map((one) => `${one.packId}@${one.packVersion}`));
  const packs = facts.weighedPackIds.flatMap((packId) =>
    (manifests.get(packId) ?? []).filter((manifest) => versions.has(`${packId}@${manifest.packVersion}`)),
  );
  const snapshot = compileSnapshot(policy, facts.orchestrator, {
    packs,
    instances: facts.instances,
    breakers: facts.breakers,
    listeningSince: facts.listeningSince,
  });
  const route = snapshot.routes.get(facts.request.taskType);
  const packIds = route === undefined ? [] : unweighed(route, facts, manifests);
  // What was refused before anybody was weighed is refused again, whoever is named now.
  const explanation = explainDispatch(snapshot, facts.request, facts.decidedAt);
  const after = destinationOf(explanation.decision);
  const isRefused = after.outcome === "escalate: queue-full" || after.outcome === "escalate: deadline-passed";
  if (packIds.length > 0 && !isRefused) return { facts, before, kind: "unknown", packIds };
  return isSame(before, after)
    ? { facts, before, kind: "same" }
    : { facts, before, kind: "elsewhere", after, why: decisionText(explanation) };
}

/** The fallback and the allowed are one to the task: what counts is who has it, or why nobody. */
const isSame = (one: Destination, other: Destination): boolean =>
  one.packId === undefined && other.packId === undefined
    ? one.outcome === other.outcome
    : one.packId === other.packId;

function unweighed(
  { allowed, fallback }: CompiledRoute,
  { weighedPackIds }: RecordedFacts,
  manifests: RegisteredManifests,
): string[] {
  const weighed = new Set(weighedPackIds);
  const named = [...allowed.all, ...fallback.all].map(({ packId }) => packId);
  return [...new Set(named)].filter((packId) => !weighed.has(packId) && manifests.has(packId));
}

function destinationOf(decision: DispatchDecision): Destination {
  if (decision.kind !== "selected")
    return { outcome: `${decision.kind}: ${decision.reason}`, packId: undefined };
  return { outcome: decision.viaFallback ? "selected: fallback" : "selected", packId: decision.packId };
}
