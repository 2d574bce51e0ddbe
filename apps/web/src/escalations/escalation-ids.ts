const escalationId = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-e(\d+)\b/g;

type Part = {
  readonly at: number;
  readonly words: string;
  readonly escalationId?: string;
  /** What people call it: its number among its pipeline's questions. */
  readonly name?: string;
};

/** A text, cut where it names questions. */
export function partsWithEscalations(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const met of text.matchAll(escalationId)) {
    if (met.index > from) parts.push({ at: from, words: text.slice(from, met.index) });
    parts.push({ at: met.index, words: met[0], escalationId: met[0], name: `question ${met[1]}` });
    from = met.index + met[0].length;
  }
  if (from < text.length) parts.push({ at: from, words: text.slice(from) });
  return parts;
}
