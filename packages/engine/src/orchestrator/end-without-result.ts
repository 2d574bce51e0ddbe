import { type CurrentDispatch, dispatchIdOf, readDispatchId, redactRationale } from "@signalbox/core";
import type { Engine } from "../engine.ts";
import type { Asked } from "../system.ts";
import type { HeldPipeline } from "./draft.ts";
import { type Change, done } from "./work.ts";

/** What an agent that was called answered, when it was no result. */
export type WithoutResult = {
  /** `unreadable`: something else than a result, or one that cannot be kept; `failed`: that it failed. */
  readonly kind: "unreadable" | "failed";
  readonly detail: string;
};

/**
 * REPORT-4, SENT-10: who answers in the call cannot be told of a fault in the answer, as one that reports is, and works on
 * it no more. So the attempt ends, with the fault on record and told to the next one. Of a dispatch that is over by then,
 * or that its agent has reported on, nothing is said.
 */
export async function endWithoutResult(
  engine: Engine,
  { caller }: Asked,
  dispatchId: string,
  { kind, detail }: WithoutResult,
): Promise<void> {
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw new Error(`an answer names no dispatch: ${dispatchId}`);
  const { stageOrder, attemptNumber } = place;
  const openIn = ({ state }: Pick<HeldPipeline, "state">): CurrentDispatch | undefined => {
    const current = state.stages[stageOrder]?.dispatch ?? undefined;
    return current?.dispatchId === dispatchIdOf(place) && current.reportedAt === null ? current : undefined;
  };
  const change: Change<undefined> = {
    kind: "change",
    way: "command",
    key: { tenantId: caller.tenantId, pipelineId: place.pipelineId },
    concerns(pipeline, { redactor }) {
      const current = openIn(pipeline);
      if (current === undefined || kind === "failed") return undefined;
      const { packId, instanceId } = current;
      return {
        packId,
        instanceId,
        event: { kind: "invalid-result", error: redactRationale(redactor, detail) },
      };
    },
    decide(step) {
      const { draft, redactor } = step;
      if (openIn(draft) === undefined) return done(undefined);
      const stageId = draft.state.plan.stages[stageOrder]?.stageId ?? "";
      const fence = { stageId, dispatchId, attemptNumber };
      const said = redactRationale(redactor, detail);
      if (kind === "failed") step.decide({ kind: "agent-failed", ...fence, detail: said });
      else {
        const { standing } = step.standing();
        step.decide({
          kind: "result-invalid",
          ...fence,
          by: caller.actor,
          error: said,
          schemaVersionReceived: "",
          schemaVersionExpected: engine.schemaVersion,
          consecutiveInvalid: standing.consecutiveInvalid,
          quarantined: standing.quarantinedAt !== null,
        });
      }
      return done(undefined);
    },
  };
  await engine.committer.commit(change);
}
