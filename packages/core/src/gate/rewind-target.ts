import type { AgentResult } from "@signalbox/contracts";

/** `rewind: implement`, alone on its line, in a blocker's suggested resolution. */
const SUGGESTION = /^\s*rewind\s*:\s*(\S{1,128})\s*$/im;

/**
 * GATE-24 (4.6): the stage that a review itself says is at fault: `response.data.rewind_to`, or the first blocker whose
 * suggested resolution is `rewind: <stage id>`. Anything else is prose for the next attempt and moves nothing.
 */
function namedTarget({ response, blockers }: AgentResult): string | undefined {
  const asked = response?.data?.rewind_to;
  if (typeof asked === "string" && asked !== "") return asked;
  for (const { suggestedResolution } of blockers) {
    const found = SUGGESTION.exec(suggestedResolution.slice(0, LONGEST_READ))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

const LONGEST_READ = 2_000;

/** GATE-25: an earlier stage only where this one depends on it; else the stage itself is done again. */
export function rewindTarget(
  result: AgentResult,
  { stageId, upstreamStageIds }: { readonly stageId: string; readonly upstreamStageIds: readonly string[] },
): { readonly stageId: string; readonly ignored: string | undefined } {
  const named = namedTarget(result);
  if (named === undefined || named === stageId) return { stageId, ignored: undefined };
  return upstreamStageIds.includes(named)
    ? { stageId: named, ignored: undefined }
    : { stageId, ignored: named };
}
