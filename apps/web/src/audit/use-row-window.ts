import { type RefObject, useEffect, useState, useSyncExternalStore } from "react";
import { rowsInView } from "./register.ts";

/** Rows have one height, so that where each stands is known without drawing it; on a narrow screen what is said takes three lines. */
const narrow = "(width < 48rem)";
const heights = { narrow: 108, wide: 68 } as const;

export const useRowHeight = (): number =>
  useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(narrow);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => (window.matchMedia(narrow).matches ? heights.narrow : heights.wide),
  );

const MORE = 6;
const tallest = { first: 0, last: 40 };

/** Which rows of a list of this height are on the screen, as the page is scrolled. */
export function useRowWindow(list: RefObject<HTMLElement | null>, rowHeight: number) {
  const [shown, setShown] = useState(tallest);
  useEffect(() => {
    const look = () => {
      if (list.current === null) return;
      const { top } = list.current.getBoundingClientRect();
      const next = rowsInView(
        { top: -top, height: window.innerHeight },
        { rows: Number.POSITIVE_INFINITY, rowHeight, more: MORE },
      );
      setShown((was) => (was.first === next.first && was.last === next.last ? was : next));
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [list, rowHeight]);
  return shown;
}
