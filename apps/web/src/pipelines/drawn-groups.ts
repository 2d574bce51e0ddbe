/** Rows are drawn and let go of by so many at a time; a list of up to eight such groups is drawn whole. */
export const GROUP = 50;
const ALL_DRAWN_UP_TO = 8;

type View = { readonly top: number; readonly height: number };

/** Either rows that are drawn, or the room that others take which are not. */
export type Part =
  | { readonly kind: "rows"; readonly group: number }
  | { readonly kind: "room"; readonly group: number; readonly height: number };

/**
 * Which groups of a list stand in the page: those within a screen of what is seen, and the one that has the focus, which
 * would be lost with its row. What the others take up is told with them.
 */
export function drawnGroups(
  heights: readonly number[],
  view: View,
  focused: number | undefined,
): readonly Part[] {
  const [from, to] = [view.top - view.height, view.top + 2 * view.height];
  const parts: Part[] = [];
  let top = 0;
  for (const [group, height] of heights.entries()) {
    const isNear = top < to && top + height > from;
    const before = parts.at(-1);
    if (isNear || group === focused || heights.length <= ALL_DRAWN_UP_TO) parts.push({ kind: "rows", group });
    else if (before?.kind === "room") parts[parts.length - 1] = { ...before, height: before.height + height };
    else parts.push({ kind: "room", group, height });
    top += height;
  }
  return parts;
}
