import type { RiskTier } from "@signalbox/contracts";
import { bestOfPack, fitAmong, headGoesFirst, packReason, phaseOf, type Question } from "./judge.ts";
import type { RankedInstance } from "./rank.ts";
import type { EscalationReason, WaitReason } from "./reasons.ts";
import type { DispatchRequest } from "./request.ts";
import { effectiveRiskTier } from "./risk.ts";
import type { Candidates, CompiledRoute, Snapshot } from "./snapshot.ts";
import { waitOrEscalate } from "./wait.ts";

export type DispatchDecision =
  | {
      readonly kind: "selected";
      readonly packId: string;
      readonly packVersion: string;
      readonly instanceId: string;
      readonly viaFallback: boolean;
      /** The dispatch is the one that tries a half-open breaker (D5). */
      readonly probe: boolean;
      readonly riskTier: RiskTier;
    }
  /** Nobody is able now. Ask again when the registry changes, and at the latest at `until`. */
  | { readonly kind: "wait"; readonly reason: WaitReason; readonly until: number }
  | { readonly kind: "escalate"; readonly reason: EscalationReason };

/** Who works on a stage (A2A 3.2, steps 1 to 3): admission, match, filter and rank, fallback. */
export function decideDispatch(snapshot: Snapshot, request: DispatchRequest, now: number): DispatchDecision {
  const refused = admissionRefusal(snapshot, request, now);
  if (refused !== undefined) return escalate(refused);
  const route = snapshot.routes.get(request.taskType);
  if (route === undefined) return escalate("no-route");
  const question = ask(snapshot, route, request, now);
  if (allOpen(route, question)) return escalate("breakers-open");
  const best = bestOf(route.allowed, question);
  if (best !== undefined) return selected(best, false, question);
  const other = bestOf(route.fallback, question);
  return other === undefined ? waitOrEscalate(route, question) : selected(other, true, question);
}

const escalate = (reason: EscalationReason): DispatchDecision => ({ kind: "escalate", reason });

/** DSP-1, DSP-2: what is decided before anybody asks who could do it. */
function admissionRefusal(
  { policy }: Snapshot,
  { deadlineAt, waitingSince, queueDepth }: DispatchRequest,
  now: number,
): EscalationReason | undefined {
  if (deadlineAt !== undefined && deadlineAt <= now) return "deadline-passed";
  const full = waitingSince === undefined && queueDepth >= policy.admission.maxGlobalQueueDepth;
  return full ? "queue-full" : undefined;
}

export const ask = (
  snapshot: Snapshot,
  { route }: CompiledRoute,
  request: DispatchRequest,
  now: number,
): Question => ({
  snapshot,
  request,
  riskTier: effectiveRiskTier(request.riskTier, route.minRiskTier),
  now,
});

/** DSP-3 (D5): the task type is rejected when the breakers of all its allowed packs are open. */
function allOpen({ allowed }: CompiledRoute, question: Question): boolean {
  for (const { place } of allowed.all) {
    const pack = question.snapshot.packs[place];
    if (pack === undefined || phaseOf(pack, question) !== "open") return false;
  }
  return true;
}

function bestOf(candidates: Candidates, question: Question): RankedInstance | undefined {
  let best: RankedInstance | undefined;
  let bestPreferred = false;
  for (const fit of fitAmong(candidates, question)) {
    const { place, preferred } = fit.candidate;
    const pack = question.snapshot.packs[place];
    if (pack === undefined || packReason(pack, fit.candidate, question) !== undefined) continue;
    const head = bestOfPack(pack, fit, question);
    if (head === undefined) continue;
    if (best !== undefined && !headGoesFirst(head, preferred, best, bestPreferred)) continue;
    best = head;
    bestPreferred = preferred;
  }
  return best;
}

function selected(
  { facts, version }: RankedInstance,
  viaFallback: boolean,
  question: Question,
): DispatchDecision {
  const pack = question.snapshot.packs[question.snapshot.places.get(facts.packId) ?? -1];
  return {
    kind: "selected",
    packId: facts.packId,
    packVersion: version,
    instanceId: facts.instanceId,
    viaFallback,
    probe: pack !== undefined && phaseOf(pack, question) === "half-open",
    riskTier: question.riskTier,
  };
}
