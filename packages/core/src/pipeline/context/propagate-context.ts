import { create } from "@bufbuild/protobuf";
import {
  ContextInSchema,
  type ContextIn,
  type Decision,
  type Ref,
  type SnippetRef,
} from "@signalbox/contracts";
import { stageNamed, type StageView } from "../ledger.ts";
import type { PipelineState } from "../state.ts";
import { boundedText, clip, type LeftOut, type Passage } from "./bounded-text.ts";
import { carriedPassage } from "./carried-fields.ts";
import { carriedRefs } from "./carried-refs.ts";
import { feedbackPassages } from "./feedback-passages.ts";
import { type Source, sourcesOf } from "./sources.ts";

/** The contract's own bounds (context_in.proto). */
export const contextLimits = { sharedContext: 32_768, taskDelta: 16_384, snippet: 4_096 } as const;

export type PropagatedContext = {
  /** All there is to tell; the handoff policy's context level decides how much of it travels. */
  readonly contextIn: ContextIn;
  /** What a sent-back attempt must see at every context level (4.6): also part of `contextIn.taskDelta`. */
  readonly feedback: string;
  readonly refs: readonly Ref[];
  readonly leftOut: readonly LeftOut[];
};

/**
 * What a stage learns from the stages before it and from its own earlier attempts, on top of what the task brought.
 * The same state gives the same context, byte for byte.
 */
export function propagateContext(
  state: PipelineState,
  stageId: string,
  task: ContextIn | undefined,
): PropagatedContext | undefined {
  const stage = stageNamed(state, stageId);
  if (stage === undefined) return undefined;
  const sources = sourcesOf(state, stage);
  const told = feedbackPassages(stage.state);
  const shared = boundedText(sharedPassages(stage, sources, task), contextLimits.sharedContext);
  const delta = boundedText(told.concat(own(task?.taskDelta, "task_delta")), contextLimits.taskDelta);
  const contextIn = create(ContextInSchema, {
    sharedContext: shared.text,
    taskDelta: delta.text,
    decisionMemo: { decisions: decisions(stage, sources, task) },
    criticalSnippets: (task?.criticalSnippets ?? []).map(clippedSnippet),
    unresolvedAssumptions: assumptions(sources, task),
  });
  return {
    contextIn,
    feedback: boundedText(told, contextLimits.taskDelta).text,
    refs: stage.plan.propagation.carryArtifacts ? carriedRefs(sources) : [],
    leftOut: shared.leftOut.concat(delta.leftOut, snippetsLeftOut(task)),
  };
}

const own = (text: string | undefined, what: string): Passage[] =>
  text === undefined || text === "" ? [] : [{ text, what, from: null }];

/** The task's own first; then the latest stage before the earlier ones, so that length costs what is oldest. */
function sharedPassages(
  stage: StageView,
  sources: readonly Source[],
  task: ContextIn | undefined,
): Passage[] {
  const passages = own(task?.sharedContext, "shared_context");
  for (const source of sources.toReversed()) passages.push(...passagesOf(stage, source));
  return passages;
}

function passagesOf(stage: StageView, { stageId, result }: Source): Passage[] {
  const { carryRisks, carryFields } = stage.plan.propagation;
  // What undoes a stage's work is told without being asked for, where the stage said it.
  const names = result.contextOut === null ? carryFields : [...carryFields, "rollback_notes"];
  const told = carryRisks ? risks(stageId, result.contextOut?.risksIdentified ?? []) : [];
  return told.concat(eachOnce(names).map((name) => carriedPassage(result, stageId, name)));
}

function risks(stageId: string, found: readonly string[]): Passage[] {
  if (found.length === 0) return [];
  const text = [`Risks that stage "${stageId}" saw:`, ...found.map((risk) => `- ${risk}`)].join("\n");
  return [{ text, what: "risks", from: stageId }];
}

const eachOnce = (texts: readonly string[]): readonly string[] =>
  texts.length < 2 ? texts : [...new Set(texts)];

const identity = (one: Decision): string =>
  JSON.stringify([one.decisionId, one.sourceTask, one.description, one.rationale]);

function decisions(stage: StageView, sources: readonly Source[], task: ContextIn | undefined): Decision[] {
  const carried = stage.plan.propagation.carryDecisions
    ? sources.flatMap(({ result }) => result.contextOut?.decisionsMade ?? [])
    : [];
  const memo = (task?.decisionMemo?.decisions ?? []).concat(carried);
  if (memo.length < 2) return memo;
  return [...new Map(memo.map((decision) => [identity(decision), decision])).values()];
}

/** No flag governs assumptions: whoever learns from a stage must know what that stage took for granted. */
function assumptions(sources: readonly Source[], task: ContextIn | undefined): string[] {
  const made = sources.flatMap(({ result }) => result.contextOut?.assumptionsMade ?? []);
  return [...eachOnce((task?.unresolvedAssumptions ?? []).concat(made))];
}

const clippedSnippet = (snippet: SnippetRef): SnippetRef => ({
  ...snippet,
  content: clip(snippet.content, contextLimits.snippet).text,
});

function snippetsLeftOut(task: ContextIn | undefined): LeftOut[] {
  return (task?.criticalSnippets ?? []).flatMap(({ path, content }) => {
    const { lost } = clip(content, contextLimits.snippet);
    return lost === 0 ? [] : { what: `snippet ${path}`, from: null, characters: lost };
  });
}
