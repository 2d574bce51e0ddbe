import type { RiskTier } from "@signalbox/contracts";
import type { InstanceRef } from "./registry-facts.ts";

/** What a stage asks of dispatch. */
export type DispatchRequest = {
  readonly taskType: string;
  /** The task's own; the route's may raise it (D4). */
  readonly riskTier: RiskTier;
  /** What `requiredTools` found in the contract: asked of the contract once, and not once a decision. */
  readonly requiredTools: readonly string[];
  /** Stages that wait besides this one, for admission. */
  readonly queueDepth: number;
  /** Since when the stage waits for a decision other than "wait"; undefined when this is the first. */
  readonly waitingSince: number | undefined;
  readonly deadlineAt: number | undefined;
  /** Instances to pass over this time: they were sent the stage before, and gave no result. */
  readonly excluded?: readonly InstanceRef[];
  /** The pack that a handoff named (D24): it must be one that the route allows. */
  readonly onlyPackId?: string | undefined;
};
