import { type Document, isMap, isSeq } from "yaml";

/** A text and what it was read as. */
export type ReadText = { readonly text: string; readonly document: Document.Parsed };

/** Where a stage begins in the text, counted from 1; undefined where the text has no such stage of its own. */
export function placeOfStage(
  { text, document }: ReadText,
  template: number,
  stage: number,
): { line: number; column: number } | undefined {
  const found = document.getIn(["pipeline_templates", "templates", template, "stages"], true);
  const node = isSeq(found) ? found.items[stage] : undefined;
  if (!isMap(node) || !node.range) return undefined;
  const before = text.slice(0, node.range[0]).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
