import { SignalboxError } from "@signalbox/contracts";
import {
  breakerEnding,
  type CurrentDispatch,
  decide,
  describeRefusal,
  type PipelineEvent,
  type Redactor,
  type Refusal,
  refusalCode,
  refusalViolations,
  type ReportedWork,
  type StageState,
  type StandingDecision,
  stageIndex,
} from "@signalbox/core";
import { type Draft, type KeptResult, type KeptTurn, takeEffects } from "./draft.ts";
import type { BatchRegistry } from "./batch-registry.ts";
import type { DispatchKey } from "@signalbox/db";

/** What an item of a batch may do with its pipeline. It is synchronous: the batch holds the pipeline's lock. */
export type Step = {
  readonly now: number;
  /** When the transaction began: a result's row gives this as the time of its arrival. */
  readonly began: number;
  readonly draft: Draft;
  readonly registry: BatchRegistry;
  readonly redactor: Redactor;
  /** What agents told of the attempts that the works of a batch judge. */
  readonly reportedOn: (at: DispatchKey) => ReportedWork | undefined;
  /** The pipeline decides on the event, or says why it does not fit. */
  decide(event: PipelineEvent): Refusal | undefined;
  keepResult(result: KeptResult): void;
  keepTurn(turn: KeptTurn): void;
  /** What became of the standing that this change concerns (D7). */
  standing(): StandingDecision;
};

export type StepContext = Pick<Step, "now" | "began" | "registry" | "redactor" | "reportedOn">;

export function openStep(
  { now, began, registry, redactor, reportedOn }: StepContext,
  draft: Draft,
  decided?: StandingDecision,
): Step {
  return {
    draft,
    now,
    began,
    registry,
    redactor,
    reportedOn,
    decide(event) {
      const before = draft.state;
      const decision = decide(before, event, now);
      if (decision.kind === "refused") {
        draft.facts.push(...decision.record);
        return decision.refusal;
      }
      draft.state = decision.state;
      takeEffects(draft, decision.effects);
      tellRegistry(draft, registry, before.stages, event, now);
      return undefined;
    },
    keepResult: (result) => void draft.results.push(result),
    keepTurn: (turn) => void draft.turns.push(turn),
    standing() {
      if (decided === undefined) throw new Error("a change asked for a standing that it had not named");
      return decided;
    },
  };
}

const isOpen = (dispatch: CurrentDispatch | null): dispatch is CurrentDispatch =>
  dispatch !== null && dispatch.reportedAt === null;

/** What a decision did to instances and breakers: which dispatches began, and which ended how. */
function tellRegistry(
  draft: Draft,
  registry: BatchRegistry,
  before: readonly StageState[],
  event: PipelineEvent,
  now: number,
): void {
  for (const [index, stage] of draft.state.stages.entries()) {
    if (stage === before[index]) continue;
    const was = before[index]?.dispatch ?? null;
    const is = stage.dispatch;
    if (was?.dispatchId === is?.dispatchId && isOpen(was) === isOpen(is)) continue;
    const plan = draft.state.plan.stages[index];
    if (isOpen(was)) {
      const earlier = before[index] ?? stage;
      const taskType = earlier.reroute?.taskType ?? plan?.taskType ?? "";
      registry.ended(was, taskType, breakerEnding(event, was, { before: earlier, after: stage }), now);
    }
    if (isOpen(is)) registry.began(is, stage.reroute?.taskType ?? plan?.taskType ?? "", now);
  }
}

/** The refusal as every transport answers it. */
export const refused = (refusal: Refusal): SignalboxError =>
  new SignalboxError(refusalCode[refusal.reason], describeRefusal(refusal), {
    violations: refusalViolations(refusal),
  });

export const placeOf = ({ state }: Draft, stageId: string): number => stageIndex(state.plan, stageId);
