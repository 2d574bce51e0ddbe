import {
  type ContextLevel,
  ContextLevelSchema,
  type ContextPropagationMode,
  ContextPropagationModeSchema,
  type RefFreshnessCheck,
  type RiskTier,
  RiskTierSchema,
} from "@signalbox/contracts";
import { type Explanation, packsWeighed } from "../dispatch/explain-dispatch.ts";
import { span, type StoredSpan } from "./stored-span.ts";

export type SentAttempt = {
  readonly explanation: Explanation;
  readonly sentAt: number;
  readonly contextLevel: ContextLevel;
  readonly propagationMode: ContextPropagationMode;
  readonly refFreshness: readonly RefFreshnessCheck[];
  /** How many passages the context had no room for. */
  readonly leftOut?: number;
};

/** Packs are named up to here; an open route has thousands, and the audit entry has them all. */
const NAMED = 16;

/** TRACE-4 (A2A 5.1): how it came that a pack was sent to work, in the order in which it was decided. */
export function dispatchSpans(attempt: SentAttempt): StoredSpan[] {
  const { explanation, sentAt } = attempt;
  const { decision, decidedAt, request, candidates } = explanation;
  const allowed = candidates.filter(({ role }) => role === "allowed").length;
  return [
    span("dispatch_decision", decidedAt, {
      ms: sentAt - decidedAt,
      failed: decision.kind !== "selected",
      attributes: outcomeOf(explanation),
      children: [
        span("admission_check", decidedAt, {
          attributes: { queueDepth: request.queueDepth, riskTier: tierName(explanation.riskTier) },
        }),
        span("route_match", decidedAt, {
          failed: candidates.length === 0,
          attributes: { taskType: request.taskType, allowed, fallback: candidates.length - allowed },
        }),
        span("filter_rank", decidedAt, {
          failed: decision.kind !== "selected",
          attributes: rankingOf(explanation),
        }),
        span("context_assembly", decidedAt, { attributes: contextOf(attempt) }),
      ],
    }),
  ];
}

const tierName = (tier: RiskTier): string => RiskTierSchema.value[tier]?.localName ?? "";

function outcomeOf({ decision }: Explanation) {
  if (decision.kind !== "selected") return { outcome: decision.kind, reason: decision.reason };
  const { viaFallback, probe } = decision;
  return { outcome: decision.kind, ...(viaFallback && { viaFallback }), ...(probe && { probe }) };
}

function rankingOf(explanation: Explanation) {
  const { decision, ranking, policyVersion } = explanation;
  const names = packsWeighed(explanation);
  return {
    candidates: names.slice(0, NAMED),
    weighed: names.length,
    ranked: ranking.slice(0, NAMED).map(({ packId }) => packId),
    policyVersion,
    ...(decision.kind === "selected" && {
      selected: decision.packId,
      packVersion: decision.packVersion,
      instanceId: decision.instanceId,
    }),
  };
}

function contextOf({ contextLevel, propagationMode, refFreshness, leftOut = 0 }: SentAttempt) {
  const count = (holds: (check: RefFreshnessCheck) => boolean) => refFreshness.filter(holds).length;
  return {
    contextLevel: ContextLevelSchema.value[contextLevel]?.localName ?? "",
    propagationMode: ContextPropagationModeSchema.value[propagationMode]?.localName ?? "",
    refs: refFreshness.length,
    stale: count(({ wasStale }) => wasStale),
    refreshed: count(({ refreshSucceeded }) => refreshSucceeded),
    degraded: count(({ dispatchedWithDegraded }) => dispatchedWithDegraded),
    ...(leftOut > 0 && { leftOut }),
  };
}
