import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef } from "react";
import type { Span } from "./attempt-queries.ts";
import { spanInWords } from "./span-words.ts";
import { timeTaken } from "./time-taken.ts";
import { rowAfterKey, type WaterfallRow } from "./waterfall.ts";

const ROW = 34;

type Props = {
  rows: readonly WaterfallRow<Span>[];
  chosen: string | undefined;
  onChoose: (spanId: string) => void;
  onToggle: (spanId: string, open: boolean) => void;
};

/** A tree as WAI-ARIA has it: one stop for Tab, the arrows within. Only the rows in sight are in the page. */
export function WaterfallTree({ rows, chosen, onChoose, onToggle }: Props) {
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  // Its functions give something else after each scroll: nothing that is made of them may be kept, and nothing is.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.span.spanId ?? index,
    overscan: 12,
  });
  const at = rows.findIndex(({ span }) => span.spanId === chosen);
  const show = useEffectEvent(() => {
    if (at !== -1) list.scrollToIndex(at, { align: "auto" });
  });
  useEffect(() => show(), [chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { go, open, close } = rowAfterKey(rows, chosen, event.key);
    if (go === undefined && open === undefined && close === undefined) return;
    event.preventDefault();
    if (go !== undefined) onChoose(go);
    if (open !== undefined) onToggle(open, true);
    if (close !== undefined) onToggle(close, false);
  };
  return (
    <div ref={scroller} className="waterfall">
      <div
        role="tree"
        aria-label="Spans of the trace"
        aria-activedescendant={at === -1 ? undefined : `${treeId}-${chosen}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={{ height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <Row
                key={key}
                id={`${treeId}-${row.span.spanId}`}
                row={row}
                start={start}
                isChosen={index === at}
                onChoose={onChoose}
                onToggle={onToggle}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function Row({
  id,
  row: { span, depth, children, expanded, from, width, tookMs },
  start,
  isChosen,
  onChoose,
  onToggle,
}: Pick<Props, "onChoose" | "onToggle"> & {
  id: string;
  row: WaterfallRow<Span>;
  start: number;
  isChosen: boolean;
}) {
  return (
    // The tree itself takes the keys: its rows are named to it by aria-activedescendant.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      aria-expanded={children > 0 ? expanded : undefined}
      onClick={() => onChoose(span.spanId)}
      className="span-row virtual-row text-sm hover:bg-recess/60"
      style={{ height: ROW, transform: `translateY(${start}px)` }}
    >
      <span
        className="flex min-w-0 items-center gap-2"
        style={{ paddingLeft: `${Math.min(depth, 8) * 0.9}rem` }}
      >
        <span
          aria-hidden="true"
          className="span-fold shrink-0 text-ink-soft"
          onClick={(event) => {
            if (children === 0) return;
            event.stopPropagation();
            onToggle(span.spanId, !expanded);
          }}
        >
          {children === 0 ? "" : expanded ? "▾" : "▸"}
        </span>
        <span className="span-name" title={spanInWords(span)}>
          {spanInWords(span)}
        </span>
        <span className="sr-only">{span.status === "open" ? "" : span.status}</span>
      </span>
      <span aria-hidden="true" className="span-line">
        <span
          className="span-bar"
          data-status={span.status}
          style={{ left: `${Math.min(from * 100, 99.5)}%`, width: `${width * 100}%` }}
        />
      </span>
      <span className="text-right text-xs text-ink-soft tabular-nums">
        {tookMs === null ? "goes on" : timeTaken(tookMs)}
      </span>
    </div>
  );
}
