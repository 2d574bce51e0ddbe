import type { AgentResult } from "@signalbox/contracts";
import { RETRY_WITH_INSTRUCTION } from "@signalbox/contracts/sacp";
import type { GateInput } from "./gate-input.ts";

type Place = Pick<GateInput, "stageId" | "upstreamStageIds" | "previousStageIds">;

/** `rewind: implement`, alone on its line, in a blocker's suggested resolution. */
const SUGGESTION = /^\s*rewind\s*:\s*(\S{1,128})\s*$/im;

/**
 * GATE-24 (4.6): the stage that a review itself says is at fault: `response.data.rewind_to`, or the first blocker whose
 * suggested resolution is `rewind: <stage id>`. Anything else is prose for the next attempt and moves nothing.
 */
function namedTarget({ response, blockers }: AgentResult, { previousStageIds }: Place): string | undefined {
  const asked = response?.data?.rewind_to;
  if (typeof asked === "string" && asked !== "") return asked;
  for (const { suggestedResolution } of blockers) {
    const found = SUGGESTION.exec(suggestedResolution.slice(0, LONGEST_READ))?.[1];
    if (found !== undefined) return found;
  }
  return talksBack(response) && previousStageIds.length === 1 ? previousStageIds[0] : undefined;
}

/** GATE-28 (SACP §11): the agent's answer is an instruction to the one before it. */
const talksBack = (response: AgentResult["response"]): boolean =>
  response?.status === "failure" && response.nextStepHint === RETRY_WITH_INSTRUCTION;

const LONGEST_READ = 2_000;

/** GATE-25: an earlier stage only where this one depends on it; else the stage itself is done again. */
export function rewindTarget(
  result: AgentResult,
  place: Place,
): { readonly stageId: string; readonly ignored: string | undefined } {
  const { stageId, upstreamStageIds } = place;
  const named = namedTarget(result, place);
  if (named === undefined || named === stageId) return { stageId, ignored: undefined };
  return upstreamStageIds.includes(named)
    ? { stageId: named, ignored: undefined }
    : { stageId, ignored: named };
}
