import { type AgentResponse, Outcome, StageStatus } from "@signalbox/contracts";
import { compileCondition, type ConditionFacts, factsOf, isWayOn } from "../sacp/condition.ts";
import type { StageView } from "./ledger.ts";
import type { EdgePlan, StagePlan } from "./plan.ts";
import type { StageState } from "./state.ts";

/** SACP-21 (D10): how a stage ended, as far as its edges can tell. */
export type StageEnd =
  | { readonly kind: "completed" }
  /** Left out by a person or a strategy, though it might have been done. */
  | { readonly kind: "left-out" }
  | { readonly kind: "not-reached" }
  | { readonly kind: "failed"; readonly reason: string };

export type EdgesDecided = { readonly taken: readonly string[]; readonly because: string };

/**
 * SACP-21, SACP-24: which edges are taken now that the stage has ended. Without a condition an edge is for success; what was
 * left out lets it through as it lets a dependent start (D9).
 */
export function decideEdges({ plan, state }: StageView, end: StageEnd): EdgesDecided {
  const facts = factsAt(state, end);
  const failed = end.kind === "failed";
  const decided = plan.edges.map((edge) => ({ edge, why: holds(edge, end, facts, failed) }));
  return {
    taken: [...new Set(decided.flatMap(({ edge, why }) => (why === null ? edge.to : [])))],
    because: decided
      .map(({ edge, why }) => (why === null ? `on to "${edge.to}"` : `not to "${edge.to}" (${why})`))
      .join(", "),
  };
}

/** `null` where it holds, and else why not. */
function holds(
  { condition }: EdgePlan,
  end: StageEnd,
  facts: ConditionFacts,
  failed: boolean,
): string | null {
  if (end.kind === "not-reached") return "the stage was not reached";
  if (condition === "") return failed ? "the stage failed" : null;
  if (end.kind === "left-out") return "the stage gave no answer";
  const found = compileCondition(condition);
  if (found.kind === "faulty") return found.fault.message;
  // SACP-23: data of refused work leads nowhere, unless the template says what a failure leads to.
  if (failed && !found.condition.tellsEnds) return "the stage failed";
  const value = found.condition.expression.evaluate(facts);
  if (value.kind === "none") return value.why;
  return value.value === true ? null : condition;
}

/** A way that a stage might have gone, and why it did not. */
type ShutWay = { readonly to: string; readonly why: string };

/**
 * SACP-34: the ways that were shut where a stage that was done leads nowhere: its answer, and not how it ended, kept all of them
 * shut. None where one was taken, and where all are for another end, such as a failure's handler.
 */
export function shutWays({ plan, state }: Pick<StageView, "plan" | "state">): readonly ShutWay[] {
  if (state.status !== StageStatus.COMPLETED || state.edgesTaken === null) return [];
  if (state.edgesTaken.length > 0) return [];
  const end = { kind: "completed" } as const;
  const facts = factsAt(state, end);
  return plan.edges.flatMap((edge) => {
    const why = looksAtAnswer(edge, facts) ? holds(edge, end, facts, false) : null;
    return why === null ? [] : [{ to: edge.to, why }];
  });
}

/** SACP-34: why a stage that was done leads nowhere, in words; `null` where it leads on, or was not meant to. */
export function noWayOn(stage: Pick<StageView, "plan" | "state">): string | null {
  const shut = shutWays(stage);
  return shut.length === 0 ? null : shut.map(({ to, why }) => `not to "${to}" (${why})`).join(", ");
}

function looksAtAnswer({ condition }: EdgePlan, facts: ConditionFacts): boolean {
  const found = compileCondition(condition);
  return found.kind === "faulty" || isWayOn(found.condition, facts);
}

const answered = (
  status: string,
  message: string,
): Pick<AgentResponse, "status" | "data" | "message" | "nextStepHint"> => ({
  status,
  data: {},
  message,
  nextStepHint: "",
});

/** SACP-23: what a gate refused, or nobody answered, is a failure without data, whatever the agent claimed (VERDICT-1). */
function factsAt({ result, attemptNumber }: StageState, end: StageEnd): ConditionFacts {
  const own = result?.attemptNumber === attemptNumber ? result : null;
  if (end.kind !== "failed") {
    const outcome = own?.outcome ?? Outcome.SUCCESS;
    return factsOf(own?.response ?? answered("success", own?.summary ?? ""), outcome);
  }
  const admitted =
    own?.outcome === Outcome.RETRYABLE_FAILURE || own?.outcome === Outcome.NON_RETRYABLE_FAILURE;
  if (!admitted) return factsOf(answered("failure", end.reason), Outcome.NON_RETRYABLE_FAILURE);
  return factsOf({ ...(own.response ?? answered("failure", own.summary)), status: "failure" }, own.outcome);
}

/** D10, word for word: why a stage is SKIPPED that no way led to. No other reason reads so; they name who or what failed. */
export const BRANCH_NOT_TAKEN = "branch not taken";

export const isNotTaken = ({ status, skipReason }: StageState): boolean =>
  status === StageStatus.SKIPPED && skipReason === BRANCH_NOT_TAKEN;

/** SACP-25: a failure that an edge leads away from is handled: it is over, and no strategy is asked. */
export const isHandled = ({ status, edgesTaken }: StageState): boolean =>
  status === StageStatus.FAILED && edgesTaken !== null;

export const leadsTo = ({ edges }: StagePlan, stageId: string): boolean =>
  edges.some(({ to }) => to === stageId);
