import { structuredPatch } from "diff";
import { cleanText } from "../output/clean-text.ts";
import type { Paint } from "../output/paint.ts";

export type Side = { readonly name: string; readonly text: string };

/** The lines that differ, as `diff -u` prints them; none where the texts are the same. */
export function textDiff(before: Side, after: Side, paint: Paint): string[] {
  if (before.text === after.text) return [];
  const { hunks } = structuredPatch(before.name, after.name, before.text, after.text, "", "", { context: 3 });
  const painted = (line: string) => {
    const clean = cleanText(line);
    if (line.startsWith("+")) return paint("added", clean);
    return line.startsWith("-") ? paint("removed", clean) : clean;
  };
  const lines = [paint("strong", `--- ${before.name}`), paint("strong", `+++ ${after.name}`)];
  for (const { oldStart, oldLines, newStart, newLines, lines: changed } of hunks) {
    lines.push(paint("quiet", `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`));
    lines.push(...changed.map(painted));
  }
  return lines;
}
