import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef } from "react";
import type { Span } from "./attempt-queries.ts";
import { spanInWords } from "./span-words.ts";
import { timeTaken } from "./time-taken.ts";
import type { TimeScale } from "./time-scale.ts";
import { around, seen, type Shown, shownOf } from "./time-view.ts";
import type { TimeView } from "./use-time-view.ts";
import { Waits } from "./waterfall-axis.tsx";
import { rowAfterKey, type WaterfallRow } from "./waterfall.ts";

const ROW = 34;
/** The name above its line, each as wide as the screen. */
const NARROW_ROW = 54;

type Props = {
  rows: readonly WaterfallRow<Span>[];
  scale: TimeScale;
  time: TimeView;
  narrow: boolean;
  chosen: string | undefined;
  onChoose: (spanId: string) => void;
  onToggle: (spanId: string, open: boolean) => void;
};

/** A tree as WAI-ARIA has it: one stop for Tab, the arrows within. Only the rows in sight are in the page. */
export function WaterfallTree({ rows, scale, time, narrow, chosen, onChoose, onToggle }: Props) {
  const treeId = useId();
  const height = narrow ? NARROW_ROW : ROW;
  const shown = shownOf(scale, time.view);
  const scroller = useRef<HTMLDivElement>(null);
  // Its functions give something else after each scroll: nothing that is made of them may be kept, and nothing is.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
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
    if (changesView(event, { scale, time, row: rows[at] })) {
      event.preventDefault();
      return;
    }
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
                height={height}
                shown={shown}
                waits={<Waits scale={scale} view={time.view} />}
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

/** Whether the key was one of those that zoom or move what is shown. */
function changesView(
  { key, shiftKey }: KeyboardEvent,
  { scale, time, row }: Pick<Props, "scale" | "time"> & { row: WaterfallRow<Span> | undefined },
): boolean {
  if (key === "+" || key === "=") time.zoom("in");
  else if (key === "-") time.zoom("out");
  else if (key === "0") time.show(null);
  else if (key === "z" && row !== undefined) time.show(around(scale, row));
  else if (shiftKey && key === "ArrowRight") time.pan("later");
  else if (shiftKey && key === "ArrowLeft") time.pan("earlier");
  else return false;
  return true;
}

function Row({
  id,
  row: { span, depth, children, expanded, from, width, tookMs },
  start,
  height,
  shown,
  waits,
  isChosen,
  onChoose,
  onToggle,
}: Pick<Props, "onChoose" | "onToggle"> & {
  id: string;
  row: WaterfallRow<Span>;
  start: number;
  height: number;
  shown: Shown;
  waits: ReactNode;
  isChosen: boolean;
}) {
  const place = seen(shown, { from, to: from + width });
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
      style={{ height, transform: `translateY(${start}px)` }}
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
        {waits}
        {typeof place === "string" ? (
          <span className="span-beyond" data-side={place}>
            {place === "before" ? "‹" : "›"}
          </span>
        ) : (
          <span
            className="span-bar"
            data-status={span.status}
            style={{ left: `${place.left}%`, width: `${place.width}%` }}
          />
        )}
      </span>
      <span className="span-took text-right text-xs text-ink-soft tabular-nums">
        {tookMs === null ? "goes on" : timeTaken(tookMs)}
      </span>
    </div>
  );
}
