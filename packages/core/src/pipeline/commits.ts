import { isUpstream } from "./plan.ts";
import type { PipelineState, StageCommit } from "./state.ts";

/**
 * COMMIT-3 (TAS-114): the commit at which a stage begins again. What the stages before it left last; where they named none,
 * the first that the stage itself named; else nothing is known.
 */
export function commitToReturnTo({ plan, stages }: PipelineState, target: number): string | undefined {
  const upstream = stages.flatMap(({ commit }, index): StageCommit[] =>
    commit === null || index === target || !isUpstream(plan, index, target) ? [] : [commit],
  );
  const latest = upstream.toSorted((one, other) => one.notedAt - other.notedAt).at(-1);
  return latest?.head ?? stages[target]?.commit?.first;
}
