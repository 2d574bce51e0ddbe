import { Button } from "../ui/button.tsx";

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };

export function ShowMore({ count, pages }: { count: number; pages: Paged }) {
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
    </div>
  );
}
