import type { Actor, DispatchPlace } from "@signalbox/core";
import type { Engine } from "../engine.ts";
import { done } from "../orchestrator/work.ts";

type Noted = {
  readonly by: Actor;
  readonly tenantId: string;
  readonly dispatchId: string;
  readonly place: DispatchPlace;
  readonly gitHash: string;
};

/**
 * TAS-114: the commit that an agent named goes into the pipeline's state, from which rewinding takes it. It comes after the
 * event is kept and before the agent is answered: an agent that was not answered reports again, and the same commit again is
 * nothing new.
 */
export function noteCommit(
  { committer }: Engine,
  { by, tenantId, dispatchId, place, gitHash }: Noted,
): Promise<void> {
  const { pipelineId, stageOrder, attemptNumber } = place;
  return committer.commit<void>({
    kind: "change",
    way: "command",
    key: { tenantId, pipelineId },
    decide(step) {
      const stageId = step.draft.state.plan.stages[stageOrder]?.stageId ?? "";
      // What is over meanwhile has no commit to go back to: the event is kept, and the machine passes it over.
      step.decide({ kind: "commit-noted", by, stageId, dispatchId, attemptNumber, gitHash });
      return done(undefined);
    },
  });
}
