/** `at` is its place in the text. */
export type Part = { readonly at: number } & ({ readonly text: string } | { readonly rule: string });

/** As redaction writes them: they name the rule, and nothing that was said reads like one (ADR 0011). */
const marker = /\[redacted:([a-z-]{1,32})\]/g;

/** Text and what was masked in it, in their order. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(marker)) {
    if (found.index > from) parts.push({ at: from, text: text.slice(from, found.index) });
    parts.push({ at: found.index, rule: found[1] ?? "" });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from) });
  return parts;
}
