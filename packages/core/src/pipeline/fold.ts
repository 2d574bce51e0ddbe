import { applyFact, pendingPipeline } from "./apply-change.ts";
import type { AuditFact } from "./fact.ts";
import type { PipelineState } from "./state.ts";

export type Folded =
  | { readonly kind: "folded"; readonly state: PipelineState }
  /** The record has a hole, or says something that cannot follow from what comes before. */
  | {
      readonly kind: "broken";
      readonly afterRevision: number;
      readonly why: "no-beginning" | "gap" | "unknown-stage";
    };

/**
 * FOLD-1, FOLD-2: the state of a pipeline from its audit facts alone, in whatever order they were read. Every fact
 * carries the revision it made, so one that is missing, doubled or foreign is noticed and never folded over.
 */
export function foldPipeline(facts: readonly AuditFact[]): Folded {
  const inOrder = facts
    .flatMap((fact) => (fact.revision === null ? [] : { fact, revision: fact.revision }))
    .toSorted((one, other) => one.revision - other.revision);
  const created = inOrder[0]?.fact.changes.find((change) => change.kind === "created");
  if (created === undefined) return { kind: "broken", afterRevision: 0, why: "no-beginning" };
  let state = pendingPipeline(created.plan, created.startedAt);
  for (const { fact, revision } of inOrder) {
    if (revision !== state.revision + 1) return { kind: "broken", afterRevision: state.revision, why: "gap" };
    const next = applyFact(state, fact, revision);
    if (next === undefined) return { kind: "broken", afterRevision: state.revision, why: "unknown-stage" };
    state = next;
  }
  return { kind: "folded", state };
}
