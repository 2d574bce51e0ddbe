import { type Document, isMap, isScalar, isSeq, type Node } from "yaml";

/** A text and what it was read as. */
export type ReadText = { readonly text: string; readonly document: Document.Parsed };

type Place = { line: number; column: number };

/** Where a stage begins in the text, counted from 1; undefined where the text has no such stage of its own. */
export function placeOfStage(
  { text, document }: ReadText,
  template: number,
  stage: number,
): Place | undefined {
  const found = document.getIn(["pipeline_templates", "templates", template, "stages"], true);
  const node = isSeq(found) ? found.items[stage] : undefined;
  return isMap(node) ? beginOf(text, node) : undefined;
}

/** Where one begins to write in a template: at its name, or where it has none at its beginning. */
export function placeOfTemplate({ text, document }: ReadText, template: number): Place | undefined {
  const node = document.getIn(["pipeline_templates", "templates", template], true);
  if (!isMap(node)) return undefined;
  const name = node.get("name", true);
  return beginOf(text, isScalar(name) ? name : node);
}

function beginOf(text: string, { range }: Node): Place | undefined {
  if (!range) return undefined;
  const before = text.slice(0, range[0]).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
