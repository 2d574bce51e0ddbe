import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";

type Paged = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
};
const BEFORE_THE_END = { rootMargin: "1200px" };

type MoreProps = {
  count: number;
  pages: Paged;
  /** Reads on when somebody comes near the end; the button is there for what failed, and for who asks sooner. */
  readsOn?: boolean;
};

export function ShowMore({ count, pages, readsOn = false }: MoreProps) {
  const frame = useRef<HTMLDivElement>(null);
  const shownBefore = useRef<number>(undefined);
  // The button is gone with the last page, and the focus with it: to the first of what came, and not to a row long read.
  useLayoutEffect(() => {
    if (shownBefore.current === undefined || shownBefore.current === count) return;
    if (!pages.hasNextPage && document.activeElement === document.body)
      focusRow(frame.current, shownBefore.current);
    shownBefore.current = undefined;
  }, [count, pages.hasNextPage]);
  return (
    <div ref={frame} className="mt-4 flex flex-wrap items-center gap-4">
      <output className="text-sm text-ink-soft">
        {count} shown{pages.hasNextPage ? "" : ", which is all"}
      </output>
      {pages.hasNextPage && (
        <Button
          unavailable={pages.isFetchingNextPage ? "More is on its way." : undefined}
          onClick={() => {
            shownBefore.current = count;
            void pages.fetchNextPage();
          }}
        >
          Show more
        </Button>
      )}
      {readsOn && pages.hasNextPage && !pages.isFetchingNextPage && !pages.isFetchNextPageError && (
        <NearEnd key={count} onNear={() => void pages.fetchNextPage()} />
      )}
    </div>
  );
}

/** In the list that stands before: a row's own link or button, or where it has none the row itself. */
function focusRow(frame: HTMLElement | null, index: number): void {
  let before = frame?.previousElementSibling ?? null;
  while (before !== null && before.querySelector("li, tbody tr") === null)
    before = before.previousElementSibling;
  const list = before?.matches("ul, ol") === true ? before : before?.querySelector("ul, ol, tbody");
  // Of a long list not every row is drawn: the drawn ones say which they are.
  const row = list?.querySelector(`[aria-posinset="${index + 1}"]`) ?? list?.children[index];
  if (!(row instanceof HTMLElement)) return;
  const control = row.querySelector<HTMLElement>("a[href], button");
  if (control === null) row.tabIndex = -1;
  (control ?? row).focus();
}

/** Made anew with each page: one that did not fill the screen is followed by the next. */
function NearEnd({ onNear }: { onNear: () => void }) {
  const end = useRef<HTMLSpanElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    const { current } = end;
    if (current === null) return undefined;
    const observer = new IntersectionObserver((seen) => {
      if (seen.at(-1)?.isIntersecting === true) near();
    }, BEFORE_THE_END);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return <span ref={end} />;
}
