/** What lists show and find of a task's title (ADR 0056); the whole stays with the task. */
export const LONGEST_KEPT_TITLE = 500;

/** CREATE-5: one line, at most 500 code points; what is cut ends with a mark. Empty where the task has none. */
export function keptTitle(title: string): string {
  // Long enough for what is kept, however it is spaced: nobody's megabyte is looked through.
  const line = title
    .slice(0, 8 * LONGEST_KEPT_TITLE)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const points = Array.from(line);
  const isWhole = points.length <= LONGEST_KEPT_TITLE && title.length <= 8 * LONGEST_KEPT_TITLE;
  return isWhole
    ? line
    : `${points
        .slice(0, LONGEST_KEPT_TITLE - 1)
        .join("")
        .trimEnd()}…`;
}
