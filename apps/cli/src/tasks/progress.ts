import { statusText } from "../output/moment-text.ts";
import type { Pipeline, Stage } from "../pipelines/answers.ts";
import { actorText, stageNote } from "../pipelines/show-pipeline.ts";

/** One thing that happened, for a line of text or of JSON. */
export type Progress =
  | {
      readonly kind: "stage";
      readonly stageId: string;
      readonly status: string;
      readonly attempt: number;
      readonly note: string;
    }
  | { readonly kind: "pipeline"; readonly status: string; readonly note: string }
  | {
      readonly kind: "question" | "answered";
      readonly escalationId: string;
      readonly stageId: string | null;
      readonly note: string;
      readonly options: readonly string[];
    };

/** What a look is compared with: the one before it, a pipeline as it began, or nothing, when it tells where all stands. */
export type Before = Pipeline | "begun" | undefined;

/** What happened between two looks at a pipeline. */
export function progressBetween(since: Before, after: Pipeline): Progress[] {
  const before = since === "begun" ? undefined : since;
  const known = new Map(before?.stages.map((stage) => [stage.stageId, stage]));
  const asked = new Set(before?.openEscalations.map(({ escalationId }) => escalationId));
  const open = new Set(after.openEscalations.map(({ escalationId }) => escalationId));
  return [
    ...after.stages.flatMap((stage) => [
      ...(since === undefined ? [] : unseenDispatch(known.get(stage.stageId), stage)),
      ...stageProgress(known.get(stage.stageId), stage),
    ]),
    ...after.openEscalations
      .filter(({ escalationId }) => !asked.has(escalationId))
      .map(({ escalationId, stageId, problem, options }): Progress => ({
        kind: "question",
        escalationId,
        stageId,
        note: problem,
        options,
      })),
    ...(before?.openEscalations ?? [])
      .filter(({ escalationId }) => !open.has(escalationId))
      .map(({ escalationId, stageId }): Progress => ({
        kind: "answered",
        escalationId,
        stageId,
        note: "no longer open",
        options: [],
      })),
    ...pipelineProgress(before, after),
  ];
}

/** Quick work is sent and done between two looks: who did it is told all the same. */
function unseenDispatch(before: Stage | undefined, stage: Stage): Progress[] {
  const { stageId, attemptNumber: attempt, result, resultOfPackId } = stage;
  const isNews = before === undefined || before.result === null || before.attemptNumber !== attempt;
  const wasSeen = before?.dispatch != null && before.attemptNumber === attempt;
  if (result === null || !isNews || wasSeen) return [];
  return [
    {
      kind: "stage",
      stageId,
      status: "dispatched",
      attempt,
      note: `sent to ${resultOfPackId ?? "an agent"}`,
    },
  ];
}

function stageProgress(before: Stage | undefined, stage: Stage): Progress[] {
  // What has not begun is no news.
  if (before === undefined && statusText(stage.status) === "pending") return [];
  const note = stageNote(stage);
  const same =
    before !== undefined &&
    before.status === stage.status &&
    before.attemptNumber === stage.attemptNumber &&
    stageNote(before) === note;
  if (same) return [];
  return [
    {
      kind: "stage",
      stageId: stage.stageId,
      status: statusText(stage.status),
      attempt: stage.attemptNumber,
      note,
    },
  ];
}

function pipelineProgress(before: Pipeline | undefined, after: Pipeline): Progress[] {
  const { status, pause } = after;
  const known = before === undefined ? "running" : statusText(before.status);
  if (known === statusText(status)) return [];
  // Waiting for an answer is told by the question itself.
  if (statusText(status) === "paused" && pause?.reason === "waiting") return [];
  return [
    {
      kind: "pipeline",
      status: statusText(status),
      note: pause === null ? endNote(after) : `${pause.reason} ${pause.note}`.trim(),
    },
  ];
}

/** Of a person or a program who, and why; of what failed by itself why. */
const endNote = ({ status, end }: Pipeline): string => {
  if (end == null || statusText(status) === "completed") return "";
  if (end.by.type === "orchestrator") return end.reason;
  return `by ${actorText(end.by, end.byName)}${end.reason && `: ${end.reason}`}`;
};
