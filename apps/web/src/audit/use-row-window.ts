import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { queryClient } from "../trpc.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { baseFor, rowsInView } from "./register.ts";

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
type RowWindow = { readonly first: number; readonly last: number; readonly base: number };

/** With the register, so that who comes back to the list finds their place. */
const baseKey = (filter: AuditFilter) => ["audit", "base", filter];

/**
 * Which rows of the list are on the screen, as the page is scrolled, and the row that the page begins with: of millions it has
 * room for some (`baseFor`). Where it begins elsewhere it is scrolled along, and nothing is seen of it.
 */
export function useRowWindow(list: RefObject<HTMLElement | null>, rowHeight: number, filter: AuditFilter) {
  const [shown, setShown] = useState<RowWindow>(() => {
    const base = queryClient.getQueryData<number>(baseKey(filter)) ?? 0;
    return { first: base, last: base + 40, base };
  });
  const isBase = useRef(shown.base);
  const scrolledTo = useRef(0);
  useLayoutEffect(() => {
    const moved = shown.base - isBase.current;
    isBase.current = shown.base;
    queryClient.setQueryData(baseKey(filter), shown.base);
    // From where it was scrolled to, and not from where it is: a page that became shorter has been put at its end.
    if (moved !== 0) window.scrollTo({ top: scrolledTo.current - moved * rowHeight, behavior: "instant" });
  }, [shown.base, rowHeight, filter]);
  useEffect(() => {
    const look = () => {
      if (list.current === null) return;
      const { top } = list.current.getBoundingClientRect();
      const from = isBase.current;
      scrolledTo.current = window.scrollY;
      const seen = rowsInView(
        { top: -top, height: window.innerHeight },
        { rows: Number.POSITIVE_INFINITY, rowHeight, more: MORE },
      );
      setShown((was) => {
        // It begins elsewhere from the next frame on: until then the screen counts from where it began.
        if (was.base !== from) return was;
        const next = {
          first: was.base + seen.first,
          last: was.base + seen.last,
          base: baseFor(was.base, seen),
        };
        return was.first === next.first && was.last === next.last && was.base === next.base ? was : next;
      });
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [list, rowHeight]);
  const toTheNewest = useCallback(() => {
    isBase.current = 0;
    setShown({ first: 0, last: 40, base: 0 });
    window.scrollTo({ top: 0 });
  }, []);
  return { ...shown, toTheNewest };
}
