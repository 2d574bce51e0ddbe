import { type Folded, foldPipeline } from "../pipeline/fold.ts";
import { factOf } from "./entry-json.ts";
import { objectOf, text } from "./codec.ts";
import { faultAt, readAt, RecordFault } from "./record-fault.ts";

export type FoldedEntries =
  | Folded
  /** `entry` is its place in what was given. */
  | { readonly kind: "unreadable"; readonly entry: number; readonly why: string };

/** REC-9: the state of a pipeline from its audit entries alone, in whatever order they were read. */
export function foldEntries(entries: readonly unknown[]): FoldedEntries {
  const facts = [];
  let pipelineId: string | undefined;
  for (const [index, entry] of entries.entries()) {
    try {
      const own = pipelineOf(entry);
      pipelineId ??= own;
      if (own !== pipelineId)
        throw new RecordFault(`is ${own}; the first entry's is ${pipelineId}`, "pipelineId");
      facts.push(factOf(entry));
    } catch (error) {
      return { kind: "unreadable", entry: index, why: faultAt("entry", error).message };
    }
  }
  const folded = foldPipeline(facts);
  if (folded.kind !== "folded" || folded.state.plan.pipelineId === pipelineId) return folded;
  return { kind: "unreadable", entry: 0, why: `the plan is that of ${folded.state.plan.pipelineId}` };
}

const pipelineOf = (entry: unknown): string =>
  readAt("pipelineId", () => text.read(objectOf(entry)["pipelineId"]));
