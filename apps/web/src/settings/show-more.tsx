import { useEffect, useEffectEvent, useRef } from "react";
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
  return (
    <div className="mt-4 flex flex-wrap items-center gap-4">
      <output className="text-sm text-ink-soft">
        {count} shown{pages.hasNextPage ? "" : ", which is all"}
      </output>
      {pages.hasNextPage && (
        <Button
          unavailable={pages.isFetchingNextPage ? "More is on its way." : undefined}
          onClick={() => {
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
