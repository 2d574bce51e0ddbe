import { checkEvent } from "./check-event.ts";
import type { EscalationOption, Resolution } from "./escalation.ts";
import type { PipelineEvent } from "./event.ts";
import type { Decider } from "./fact.ts";
import type { RefusalReason } from "./refusal.ts";
import { describeRefusal } from "./refusal-text.ts";
import type { PipelineState } from "./state.ts";

export type Permit =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: RefusalReason; readonly message: string };

/** PERMIT-3: what a button asks is what the server will check; a refusal says why in words. */
function permit(state: PipelineState, event: PipelineEvent, now: number): Permit {
  const refusal = checkEvent(state, event, now);
  return refusal === null
    ? { allowed: true }
    : { allowed: false, reason: refusal.reason, message: describeRefusal(refusal) };
}

/** None of a person's commands depends on the time, so a page needs no clock to enable them. */
const anyTime = 0;
const note = "";

export const mayPause = (state: PipelineState, by: Decider): Permit =>
  permit(state, { kind: "pause", by, note }, anyTime);

export const mayResume = (state: PipelineState, by: Decider): Permit =>
  permit(state, { kind: "resume", by, note }, anyTime);

export const mayAbort = (state: PipelineState, by: Decider): Permit =>
  permit(state, { kind: "abort", by, note }, anyTime);

export const mayRewind = (state: PipelineState, stageId: string, by: Decider): Permit =>
  permit(state, { kind: "rewind", stageId, instructions: note, by }, anyTime);

export function mayResolve(
  state: PipelineState,
  escalationId: string,
  option: EscalationOption,
  by: Decider,
): Permit {
  const resolution = sampleOf(state, escalationId, option);
  return permit(state, { kind: "escalation-resolved", escalationId, resolution, by, comment: note }, anyTime);
}

/** The option as it would be answered: what a person fills in later does not decide whether the button is enabled. */
function sampleOf(state: PipelineState, escalationId: string, option: EscalationOption): Resolution {
  switch (option) {
    case "retry":
      return { option, instructions: note };
    case "rewind": {
      const stageId = state.escalations.find((open) => open.escalationId === escalationId)?.stageId;
      return { option, stageId: stageId ?? "", instructions: note };
    }
    case "answer":
      return { option, answer: "any" };
    case "extend":
      return { option, byMs: 1 };
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return { option };
  }
}
