import type { DocumentCheck, DocumentFault } from "../../documents/document-queries.ts";
import { useCheck } from "../../documents/use-check.ts";
import { placeOfFault } from "../fault-places.ts";
import { kind } from "../template-queries.ts";

export type Fault = DocumentFault;
export type TemplateCheck = { faults: readonly Fault[]; error: unknown; settled: boolean };

const none: readonly Fault[] = [];

/** What publishing the text would say of it now; while it is asked, what it said last stands. */
export function useTemplateCheck(text: string, onTold: (check: DocumentCheck) => void): TemplateCheck {
  const state = useCheck(kind, text, onTold);
  return {
    faults: state.kind === "told" ? state.check.faults : none,
    error: state.kind === "failed" ? state.error : null,
    settled: state.kind === "told" && state.text === text,
  };
}

/** How many faults each stage of a template has. */
export function faultsByStage(faults: readonly Fault[], template: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { path } of faults) {
    const place = placeOfFault(path);
    if (place.template !== template || place.stage === undefined) continue;
    counts.set(place.stage, (counts.get(place.stage) ?? 0) + 1);
  }
  return counts;
}
