import { create } from "@bufbuild/protobuf";
import { type ContextIn, ContextInSchema, ContextLevel } from "@signalbox/contracts";

/** DSP-80: what a template that says nothing gets; what its propagation carries then travels. */
const DEFAULT_CONTEXT_LEVEL: ContextLevel = ContextLevel.LAYERED;

export const effectiveContextLevel = (level: ContextLevel | undefined): ContextLevel =>
  level === undefined || level === ContextLevel.UNSPECIFIED ? DEFAULT_CONTEXT_LEVEL : level;

/** What is told at every level; part of the whole context already. */
export type AlwaysTold = Pick<ContextIn, "sharedContext" | "taskDelta">;

/**
 * DSP-81 (A2A 3.2, step 4): how much of the context travels. `always` has what a sent-back attempt must see (A2A 4.6), and
 * the constitution of a task that came with one. Undefined when nothing travels.
 */
export function assembleContext(
  level: ContextLevel,
  whole: ContextIn | undefined,
  always: AlwaysTold,
): ContextIn | undefined {
  const layered = level !== ContextLevel.MINIMAL;
  const rich = level === ContextLevel.RICH;
  const { sharedContext, taskDelta } = rich ? (whole ?? always) : always;
  const context = create(ContextInSchema, { sharedContext, taskDelta });
  if (layered && whole?.decisionMemo !== undefined) context.decisionMemo = whole.decisionMemo;
  if (layered) context.criticalSnippets = whole?.criticalSnippets ?? [];
  if (rich) context.unresolvedAssumptions = whole?.unresolvedAssumptions ?? [];
  return isEmpty(context) ? undefined : context;
}

const isEmpty = (context: ContextIn): boolean =>
  context.sharedContext === "" &&
  context.taskDelta === "" &&
  (context.decisionMemo?.decisions.length ?? 0) === 0 &&
  context.criticalSnippets.length === 0 &&
  context.unresolvedAssumptions.length === 0;
