/** Edit distance over code units, counted only as far as `limit`: what is farther is no slip of a finger. */
function distance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current[column] = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[other.length] ?? limit + 1;
}

/** The name that was probably meant: at most a third of its letters away, and never more than three. */
function nearestName(read: string, names: readonly string[]): string | undefined {
  let best: { name: string; away: number } | undefined;
  for (const name of names) {
    const limit = Math.min(3, Math.floor(name.length / 3));
    const away = distance(read.toLowerCase(), name.toLowerCase(), limit);
    if (away <= limit && (best === undefined || away < best.away)) best = { name, away };
  }
  return best?.name;
}

const MOST_LISTED = 20;

/** The end of a message: what is allowed, and what was probably meant. */
export function allowedNames(read: unknown, names: readonly string[]): string {
  const nearest = typeof read === "string" ? nearestName(read, names) : undefined;
  const suggestion = nearest === undefined ? "" : `Did you mean ${nearest}? `;
  if (names.length === 0) return "nothing is allowed here";
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return `${suggestion}Allowed: ${names.slice(0, MOST_LISTED).join(", ")}${more}`;
}
