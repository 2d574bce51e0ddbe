import { type RefObject, useEffect, useMemo, useState } from "react";
import { drawnGroups, GROUP, type Part } from "./drawn-groups.ts";

/** What a row takes until it was drawn once, and then as much as it did. */
const ROW_HEIGHT = 73;

type Seen = {
  readonly top: number;
  readonly height: number;
  readonly focused: number | undefined;
  readonly heights: ReadonlyMap<number, number>;
};
const fromTheTop: Seen = { top: 0, height: 1_000, focused: undefined, heights: new Map() };

/** A list is looked at anew after so much of scrolling; a screen above and below is drawn in any case. */
const STEP = 100;

/** Which groups of the list are drawn, as the page is scrolled and as the list grows. */
export function useDrawnGroups(list: RefObject<HTMLElement | null>, count: number): readonly Part[] {
  const [seen, setSeen] = useState(fromTheTop);
  useEffect(() => {
    const look = () => {
      const { current } = list;
      if (current === null) return;
      const top = Math.round(-current.getBoundingClientRect().top / STEP) * STEP;
      const focused = focusedGroup(current);
      setSeen((was) =>
        was.top === top && was.height === window.innerHeight && was.focused === focused
          ? was
          : { top, height: window.innerHeight, focused, heights: measured(current, was.heights) },
      );
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [list]);
  return useMemo(() => drawnGroups(heightsOf(seen.heights, count), seen, seen.focused), [seen, count]);
}

const heightsOf = (known: ReadonlyMap<number, number>, count: number): number[] =>
  Array.from({ length: Math.ceil(count / GROUP) }, (_, group) => {
    const rows = Math.min(GROUP, count - group * GROUP);
    return rows === GROUP ? (known.get(group) ?? rows * ROW_HEIGHT) : rows * ROW_HEIGHT;
  });

/** From a group's first row to what comes behind its last one. */
function measured(list: HTMLElement, known: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const heights = new Map(known);
  for (const first of list.querySelectorAll<HTMLElement>("[data-group]")) {
    let behind: Element | null = first;
    for (let row = 0; row < GROUP && behind !== null; row += 1) behind = behind.nextElementSibling;
    if (behind instanceof HTMLElement)
      heights.set(Number(first.dataset["group"]), behind.offsetTop - first.offsetTop);
  }
  return heights;
}

function focusedGroup(list: HTMLElement): number | undefined {
  const { activeElement } = document;
  const row = activeElement?.closest("li");
  if (row === null || row === undefined || !list.contains(row)) return undefined;
  const place = Number(row.getAttribute("aria-posinset"));
  return Number.isNaN(place) || place === 0 ? undefined : Math.floor((place - 1) / GROUP);
}
