// A page's own styles come with it, and have no name.
// oxlint-disable-next-line import/no-unassigned-import
import "./attempts.css";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useFresh } from "../live/use-fresh.ts";
import { paths } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { traceOf } from "./part-queries.ts";
import { SpanFacts } from "./span-facts.tsx";
import { timeScale } from "./time-scale.ts";
import type { TraceSearch } from "./trace-search.ts";
import { useNarrow } from "./use-narrow.ts";
import { useTimeView } from "./use-time-view.ts";
import { WaterfallAxis } from "./waterfall-axis.tsx";
import { WaterfallTools } from "./waterfall-tools.tsx";
import { WaterfallTree } from "./waterfall-tree.tsx";
import { waterfallRows } from "./waterfall.ts";

/** The pipeline's trace (A2A 5.1) as a waterfall, and all that is known of the span that is chosen. */
export function TracePanel({ pipelineId, search }: { pipelineId: string; search: TraceSearch }) {
  const { data, dataUpdatedAt } = useSuspenseQuery(traceOf(pipelineId));
  useFresh(`pipeline:${pipelineId}`, (message) =>
    message.type === "started" || message.kind === "pipeline.changed" ? [traceOf(pipelineId).queryKey] : [],
  );
  const navigate = useNavigate();
  const { span: chosen } = search;
  // In the place of what was there: who goes back leaves the trace, and does not undo each turn of a wheel.
  const goTo = (more: TraceSearch) => {
    void navigate({
      ...paths.trace(pipelineId, { ...search, ...more }),
      replace: true,
      resetScroll: false,
    });
  };
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { spans } = data;
  const shortened = search.waits !== "long";
  const short = useMemo(() => timeScale(spans, dataUpdatedAt, true), [spans, dataUpdatedAt]);
  const long = useMemo(() => timeScale(spans, dataUpdatedAt, false), [spans, dataUpdatedAt]);
  const scale = shortened ? short : long;
  const hasWaits = short.waits.length > 0;
  const rows = useMemo(
    () => waterfallRows(spans, closed, scale, dataUpdatedAt),
    [spans, closed, scale, dataUpdatedAt],
  );
  const area = useRef<HTMLElement>(null);
  const axis = useRef<HTMLSpanElement>(null);
  const time = useTimeView(scale, { area, axis }, { stretch: search, onStretch: goTo });
  const narrow = useNarrow();
  const span = spans.find(({ spanId }) => spanId === chosen) ?? (chosen === undefined ? spans[0] : undefined);
  const toggle = (spanId: string, open: boolean) => {
    setClosed((before) => {
      const next = new Set(before);
      if (open) next.delete(spanId);
      else next.add(spanId);
      return next;
    });
  };
  return (
    <div className="trace-columns grid items-start gap-8">
      <section ref={area} aria-label="Waterfall" className="board min-w-0 overflow-hidden">
        <p className="flex flex-wrap justify-between gap-x-4 border-b border-rule px-4 py-2 text-sm text-ink-soft">
          <span>{spans.length.toLocaleString()} spans</span>
          <span className="hidden sm:inline">
            <kbd className="font-mono text-xs">j</kbd> <kbd className="font-mono text-xs">k</kbd> walk,{" "}
            <kbd className="font-mono text-xs">←</kbd> <kbd className="font-mono text-xs">→</kbd> fold,{" "}
            <kbd className="font-mono text-xs">+</kbd> <kbd className="font-mono text-xs">−</kbd>{" "}
            <kbd className="font-mono text-xs">0</kbd> zoom, <kbd className="font-mono text-xs">z</kbd> to the
            span, <kbd className="font-mono text-xs">Shift ← →</kbd> move
          </span>
        </p>
        <WaterfallTools
          scale={scale}
          time={time}
          chosen={rows.find((row) => row.span.spanId === span?.spanId)}
          shortened={shortened}
          onShortened={(to) => goTo({ waits: to ? undefined : "long" })}
          hasWaits={hasWaits}
        />
        <WaterfallAxis scale={scale} view={time.view} axis={axis} />
        <WaterfallTree
          key={narrow ? "narrow" : "wide"}
          rows={rows}
          scale={scale}
          time={time}
          narrow={narrow}
          chosen={span?.spanId}
          onToggle={toggle}
          onChoose={(spanId) => goTo({ span: spanId })}
        />
      </section>
      {span === undefined ? (
        <Notice aspect="unlit" title="This trace has no such span" />
      ) : (
        <SpanFacts pipelineId={pipelineId} span={span} />
      )}
    </div>
  );
}
