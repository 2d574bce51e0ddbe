import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import { quotedName } from "../quoted-text.ts";
import type { Refusal } from "./refusal.ts";

const nameOf = (statuses: Readonly<Record<string, number>>, status: number): string =>
  Object.entries(statuses)
    .find(([, value]) => value === status)?.[0]
    .toLowerCase() ?? String(status);

const pauseText = {
  person: "it was paused by hand; resume it first",
  deadline: "its deadline has passed; answer the question about the deadline first",
  waiting: "everything that is left waits for a person; answer the open escalations",
} as const;

/** A refusal in words, for the answer's detail and for the button that is disabled because of it. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.reason) {
    case "pipeline-finished":
      return `The pipeline is ${nameOf(PipelineStatus, refusal.status)}, and nothing can happen to it any more.`;
    case "pipeline-paused":
      return `The pipeline is paused: ${pauseText[refusal.pause]}.`;
    case "pipeline-not-started":
      return "The pipeline has not been started.";
    case "pipeline-not-paused":
      return "The pipeline is running, and only a paused one can be resumed.";
    case "already-paused":
      return `The pipeline is paused already: ${pauseText[refusal.pause]}.`;
    case "waiting-for-people":
      return `The pipeline goes on by itself once these are answered: ${refusal.escalationIds.join(", ")}.`;
    case "deadline-passed":
      return "The deadline has passed. Answer its escalation: extend it, go on without one, or abort.";
    case "unknown-stage":
      return `The pipeline has no stage "${quotedName(refusal.stageId)}".`;
    case "wrong-stage-status":
      return `Stage "${refusal.stageId}" is ${nameOf(StageStatus, refusal.status)}, which does not allow this.`;
    case "stage-not-reached":
      return `Stage "${refusal.stageId}" has not been reached: what it depends on is not over.`;
    case "stage-held":
      return `Stage "${refusal.stageId}" waits for the answer to ${refusal.escalationId}.`;
    case "already-waiting":
      return `Stage "${refusal.stageId}" waits already, and that is on record.`;
    case "not-due":
      return refusal.dueAt === null ? "No time is set for this." : "It is not time for this yet.";
    case "stale-attempt":
      return `Stage "${refusal.stageId}" is at attempt ${refusal.attemptNumber}; another one was decided on.`;
    case "stale-dispatch":
      return staleDispatchText(refusal);
    case "already-reported":
      return `Dispatch ${refusal.dispatchId} has been reported on; the first report counts.`;
    case "already-doubted":
      return `A person was asked about attempt ${refusal.attemptNumber} of stage "${refusal.stageId}" already.`;
    case "gate-not-judged":
      return `The result of stage "${refusal.stageId}" was not judged by a gate, and nothing passes without.`;
    case "advance-without-success":
      return `The result of stage "${refusal.stageId}" is a failure, and no gate can let it pass.`;
    case "target-not-upstream":
      return (
        `Stage "${refusal.stageId}" does not depend on "${quotedName(refusal.targetStageId)}"; ` +
        `it can go back to itself or to a stage it depends on.`
      );
    case "unknown-escalation":
      return `The pipeline has no escalation ${refusal.escalationId}.`;
    case "already-resolved":
      return `Escalation ${refusal.escalationId} is closed already; the first answer counts.`;
    case "option-not-offered":
      return `"${refusal.option}" is not offered here; allowed are: ${refusal.offered.join(", ")}.`;
    case "own-submission":
      return "Nobody approves what they submitted: somebody else has to.";
    case "empty-answer":
      return "The agent asked a question, and the answer is empty.";
    case "extension-not-positive":
      return `An extension is a whole number of milliseconds above 0 and at most a year; ${refusal.byMs} was given.`;
  }
}

function staleDispatchText({ stageId, current }: Extract<Refusal, { reason: "stale-dispatch" }>): string {
  const now =
    current === null
      ? "no dispatch of it is current"
      : `its current dispatch is ${current.dispatchId}, attempt ${current.attemptNumber}`;
  return `What was reported is not about the current dispatch of stage "${stageId}": ${now}.`;
}
