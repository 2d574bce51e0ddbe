import { create } from "@bufbuild/protobuf";
import { type ContextIn, ContextInSchema, ContextLevel } from "@signalbox/contracts";

/** DSP-80: what a template that says nothing gets; what its propagation carries then travels. */
const DEFAULT_CONTEXT_LEVEL: ContextLevel = ContextLevel.LAYERED;

export const effectiveContextLevel = (level: ContextLevel | undefined): ContextLevel =>
  level === undefined || level === ContextLevel.UNSPECIFIED ? DEFAULT_CONTEXT_LEVEL : level;

/**
 * DSP-81 (A2A 3.2, step 4): how much of the context travels. `feedback` is what a sent-back attempt must see at every
 * level (A2A 4.6); it is part of the whole context's task_delta already. Undefined when nothing travels.
 */
export function assembleContext(
  level: ContextLevel,
  whole: ContextIn | undefined,
  feedback: string,
): ContextIn | undefined {
  const layered = level !== ContextLevel.MINIMAL;
  const rich = level === ContextLevel.RICH;
  const context = create(ContextInSchema, { taskDelta: rich ? (whole?.taskDelta ?? feedback) : feedback });
  if (layered && whole?.decisionMemo !== undefined) context.decisionMemo = whole.decisionMemo;
  if (layered) context.criticalSnippets = whole?.criticalSnippets ?? [];
  if (rich) {
    context.sharedContext = whole?.sharedContext ?? "";
    context.unresolvedAssumptions = whole?.unresolvedAssumptions ?? [];
  }
  return isEmpty(context) ? undefined : context;
}

const isEmpty = (context: ContextIn): boolean =>
  context.sharedContext === "" &&
  context.taskDelta === "" &&
  (context.decisionMemo?.decisions.length ?? 0) === 0 &&
  context.criticalSnippets.length === 0 &&
  context.unresolvedAssumptions.length === 0;
