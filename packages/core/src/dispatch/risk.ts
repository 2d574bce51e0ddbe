import { type AgentManifest, RiskTier } from "@signalbox/contracts";

/** DSP-23 (D4): the higher of the task's and the route's tier; where neither says one, NORMAL. */
export const effectiveRiskTier = (task: RiskTier, route: RiskTier | undefined): RiskTier =>
  highest(task, route ?? RiskTier.UNSPECIFIED) || RiskTier.NORMAL;

const highest = (one: RiskTier, other: RiskTier): RiskTier => (one >= other ? one : other);

const tierNames: Readonly<Record<string, RiskTier>> = {
  RISK_TIER_LOW: RiskTier.LOW,
  RISK_TIER_NORMAL: RiskTier.NORMAL,
  RISK_TIER_CRITICAL: RiskTier.CRITICAL,
};

/** The tiers that a pack says it accepts. */
export const acceptedRiskTiers = (manifest: AgentManifest): ReadonlySet<RiskTier> =>
  new Set(manifest.interface?.acceptedRiskTiers.flatMap((name) => tierNames[name] ?? []));
