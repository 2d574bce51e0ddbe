import { Outcome, PipelineStatus, StageStatus } from "@signalbox/contracts";
import type { ResultStatus } from "@signalbox/contracts/sap";
import { isTaskOverdue } from "../pipeline/clock.ts";
import { BRANCH_NOT_TAKEN, isNotTaken, noWayOn } from "../pipeline/edges.ts";
import { allStages } from "../pipeline/ledger.ts";
import type { PipelineState, StageState } from "../pipeline/state.ts";

type Standing = Pick<PipelineState, "status" | "stages" | "pause" | "clock" | "endedAt">;

/** SAP-20 (D18): a pipeline's standing in the words of SAP V2.0. */
export function sapStatusOf(state: Standing): ResultStatus {
  switch (state.status) {
    case PipelineStatus.COMPLETED:
      return state.stages.some((stage) => isLeftOut(stage) || isDoneInPart(stage)) ? "PARTIAL" : "SUCCEEDED";
    case PipelineStatus.FAILED:
      return "FAILED";
    case PipelineStatus.ABORTED:
      return isTimedOut(state) ? "FAILED" : "CANCELLED";
    case PipelineStatus.PAUSED:
      if (state.pause?.reason !== "person") return "ESCALATED";
      return state.stages.some(wasDispatched) ? "RUNNING" : "QUEUED";
    case PipelineStatus.RUNNING:
      return state.stages.some(wasDispatched) ? "RUNNING" : "QUEUED";
    case PipelineStatus.PENDING:
    case PipelineStatus.UNSPECIFIED:
    default:
      return "QUEUED";
  }
}

/** SAP-26: the task's own deadline ended it, or a person who was asked about it gave no more time. */
export const isTimedOut = ({
  status,
  clock,
  endedAt,
}: Pick<Standing, "status" | "clock" | "endedAt">): boolean =>
  (status === PipelineStatus.FAILED || status === PipelineStatus.ABORTED) &&
  endedAt !== null &&
  isTaskOverdue(clock, endedAt);

/** SAP-24: whether anybody is asked, also while the rest of the work goes on. */
export const asksPeople = ({ escalations }: Pick<PipelineState, "escalations">): boolean =>
  escalations.length > 0;

/** SAP-25: whether there is something new to report of a pipeline. */
export const sapStandingMoved = (before: PipelineState, after: PipelineState): boolean =>
  sapStatusOf(before) !== sapStatusOf(after) || openQuestions(before) !== openQuestions(after);

const openQuestions = ({ escalations }: PipelineState): string =>
  escalations.map(({ escalationId }) => escalationId).join();

export const isLeftOut = ({ status, skipReason }: StageState): boolean =>
  status === StageStatus.SKIPPED && skipReason !== BRANCH_NOT_TAKEN;

/** SAP-29: by the agent's own word; a person let it pass, since nothing else does (GATE-18). */
export const isDoneInPart = ({ status, result }: StageState): boolean =>
  status === StageStatus.COMPLETED && result?.outcome === Outcome.PARTIAL;

/** SAP-45: every stage on the way was done, and all of its work; no handler answered for one, and none was stopped short of. */
export const isWhole = (state: PipelineState): boolean =>
  allStages(state).every((stage) => {
    if (isNotTaken(stage.state)) return true;
    const isDone = stage.state.status === StageStatus.COMPLETED;
    return isDone && !isDoneInPart(stage.state) && noWayOn(stage) === null;
  });

const wasDispatched = ({ status, attemptNumber, dispatch, result }: StageState): boolean =>
  dispatch !== null ||
  result !== null ||
  attemptNumber > 1 ||
  (status !== StageStatus.PENDING && status !== StageStatus.READY && status !== StageStatus.SKIPPED);

/** SAP-21 (SAP V2.0 §5): what may follow. A person's answer may end what was escalated, or let it go on. */
export const followingStatuses: Readonly<Record<ResultStatus, readonly ResultStatus[]>> = {
  QUEUED: ["RUNNING", "SUCCEEDED", "FAILED", "ESCALATED", "CANCELLED", "PARTIAL"],
  RUNNING: ["SUCCEEDED", "FAILED", "ESCALATED", "CANCELLED", "PARTIAL"],
  ESCALATED: ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "PARTIAL"],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
  PARTIAL: [],
};

export const isFinal = (status: ResultStatus): boolean => followingStatuses[status].length === 0;
