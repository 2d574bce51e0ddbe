/** A stretch of a masked text: what stands as it was, or a marker, which names its rule. */
export type Stretch = { readonly text: string; readonly rule: string | undefined };

const marker = /\[redacted:([a-z-]{1,32})\]/g;

/** Only what the server says it masked is shown as masked: a marker that was pasted in is no more than text. */
export function stretchesOf(text: string, masked: ReadonlySet<string>): Stretch[] {
  const stretches: Stretch[] = [];
  let given = 0;
  for (const { 0: found, 1: rule = "", index } of text.matchAll(marker)) {
    if (!masked.has(rule)) continue;
    if (index > given) stretches.push({ text: text.slice(given, index), rule: undefined });
    stretches.push({ text: found, rule });
    given = index + found.length;
  }
  if (given < text.length) stretches.push({ text: text.slice(given), rule: undefined });
  return stretches;
}
