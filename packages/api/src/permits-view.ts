import {
  type Action,
  type Caller,
  may,
  mayAbort,
  mayPause,
  mayResume,
  mayRewind,
  type PipelineState,
} from "@signalbox/core";

type Asked = { readonly allowed: true } | { readonly allowed: false; readonly message: string };
type Command = Extract<Action, `pipeline.${"pause" | "resume" | "abort" | "rewind"}`>;

/**
 * What this caller may do to the pipeline as it stands (D15, PERMIT-3), and if not, why: a button asks the very table that the
 * command asks, and says its reason.
 */
export function permitsView(state: PipelineState, caller: Caller) {
  const { actor } = caller;
  const of = (action: Command, ask: () => Asked) => {
    const allowed = may(caller, action, undefined);
    if (!allowed.allowed) return { allowed: false, reason: `Not allowed: ${allowed.reason}.` };
    const asked = ask();
    return { allowed: asked.allowed, reason: asked.allowed ? null : asked.message };
  };
  return {
    pause: of("pipeline.pause", () => mayPause(state, actor)),
    resume: of("pipeline.resume", () => mayResume(state, actor)),
    abort: of("pipeline.abort", () => mayAbort(state, actor)),
    rewind: state.plan.stages.map(({ stageId }) => ({
      stageId,
      ...of("pipeline.rewind", () => mayRewind(state, stageId, actor)),
    })),
  };
}
