import { cleanText } from "./clean-text.ts";
import type { Paint } from "./paint.ts";
import { padded, widthOf, wrapped } from "./width.ts";

export type Fact = readonly [label: string, text: string | number | null | undefined];

/** Labels and texts below each other; what is not there is left out, and long texts go on below themselves. */
export function factLines(
  facts: readonly Fact[],
  { paint, columns }: { readonly paint: Paint; readonly columns: number | undefined },
): string[] {
  const said = facts.filter(([, text]) => text !== null && text !== undefined && text !== "");
  const indent = Math.max(0, ...said.map(([label]) => widthOf(label))) + 2;
  return said.flatMap(([label, text]) => {
    const clean = cleanText(String(text));
    const lines = columns === undefined ? clean.split("\n") : wrapped(clean, Math.max(20, columns - indent));
    return lines.map((line, at) =>
      `${at === 0 ? paint("quiet", padded(label, indent)) : " ".repeat(indent)}${line}`.trimEnd(),
    );
  });
}
