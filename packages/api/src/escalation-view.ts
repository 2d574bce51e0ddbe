import { agesOf, ANSWER_WITHIN_MS, type Escalation, type EscalationEnd } from "@signalbox/core";
import type { EscalationInFull, EscalationView } from "@signalbox/engine";
import { durationJson, timeJson } from "./time-json.ts";

/** The question, with what was found and what may be answered. */
export const escalationView = ({ openedAt, gate, ...escalation }: Escalation) => ({
  ...escalation,
  gate: gate ?? null,
  openedAt: timeJson(openedAt),
});

/** The question where it arose, who attends to it and until when it is to be answered, and how it ended. */
export const escalationResource = ({
  escalation,
  pipelineId,
  openedAt,
  closedAt,
  end,
  ...view
}: EscalationView) => ({
  ...escalationView(escalation),
  pipelineId,
  sourceTaskId: view.sourceTaskId,
  taskTitle: view.taskTitle,
  taskType: view.taskType === "" ? null : view.taskType,
  packId: view.packId,
  assigneeId: view.assigneeId,
  assignedAt: view.assignedAt?.toISOString() ?? null,
  openedAt: openedAt.toISOString(),
  answerSoonAt: new Date(openedAt.getTime() + agesOf.soon.from).toISOString(),
  answerDueAt: new Date(openedAt.getTime() + ANSWER_WITHIN_MS).toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
  end: end && endView(end),
});

export const commentView = ({
  ordinal,
  authorId,
  text,
  createdAt,
}: EscalationInFull["comments"][number]) => ({
  number: ordinal,
  authorId,
  text,
  createdAt: createdAt.toISOString(),
});

/** With what people said of it, and how like ones ended. */
export const escalationInFull = ({ comments, like, ...view }: EscalationInFull) => ({
  ...escalationResource(view),
  comments: comments.map(commentView),
  like: like.map(escalationResource),
});

function endView(end: EscalationEnd) {
  if (end.kind === "superseded") return end;
  const { resolution, by, comment } = end;
  const said =
    resolution.option === "extend"
      ? { option: resolution.option, extendBy: durationJson(resolution.byMs) }
      : resolution;
  return { kind: end.kind, ...said, by, comment };
}
