import { RiskTier, SignalboxError } from "@signalbox/contracts";
import type { Task } from "@signalbox/contracts/sap";
import type { PrincipleRule } from "../documents/sap-section.ts";

type Context = Task["constitutionalContext"];

const tiers = {
  instant: RiskTier.LOW,
  consulted: RiskTier.NORMAL,
  deliberated: RiskTier.CRITICAL,
} as const satisfies Record<Context["pressureLevel"], RiskTier>;

const readingOf = ({ pressure = {} }: Context, principle: string): number | undefined =>
  Object.hasOwn(pressure, principle) ? pressure[principle] : undefined;

/** The principles under more pressure than the policy lets pass without a person. */
export const escalating = (context: Context, rules: readonly PrincipleRule[]): readonly string[] =>
  rules.flatMap(({ principle, escalateAbove }) => {
    const reading = readingOf(context, principle);
    return reading !== undefined && escalateAbove !== undefined && reading > escalateAbove ? [principle] : [];
  });

/** SAP-6 (D18): the least tier at which the task may be worked on. */
export const tierOf = (context: Context, rules: readonly PrincipleRule[]): RiskTier =>
  escalating(context, rules).length > 0 ? RiskTier.CRITICAL : tiers[context.pressureLevel];

/** SAP-6: what the policy refuses whoever would decide. */
export function refuseUnderPressure(context: Context, rules: readonly PrincipleRule[]): void {
  const violations = rules.flatMap(({ principle, refuseAbove }) => {
    const reading = readingOf(context, principle);
    if (reading === undefined || refuseAbove === undefined || reading <= refuseAbove) return [];
    const message = `is ${reading}; the policy refuses what is above ${refuseAbove}`;
    return [{ field: `constitutionalContext.pressure.${principle}`, rule: "refuse_above", message }];
  });
  if (violations.length === 0) return;
  throw new SignalboxError(
    "NON_CONSTITUTIONAL",
    "The task puts a principle under more pressure than the policy bears.",
    {
      violations,
    },
  );
}
