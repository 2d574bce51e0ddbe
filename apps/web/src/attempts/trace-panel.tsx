// A page's own styles come with it, and have no name.
// oxlint-disable-next-line import/no-unassigned-import
import "./attempts.css";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useFresh } from "../live/use-fresh.ts";
import { paths } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { traceOf } from "./part-queries.ts";
import { SpanFacts } from "./span-facts.tsx";
import { timeTaken } from "./time-taken.ts";
import { WaterfallTree } from "./waterfall-tree.tsx";
import { waterfallRows, wholeMs } from "./waterfall.ts";

/** The pipeline's trace (A2A 5.1) as a waterfall, and all that is known of the span that is chosen. */
export function TracePanel({ pipelineId, chosen }: { pipelineId: string; chosen: string | undefined }) {
  const { data, dataUpdatedAt } = useSuspenseQuery(traceOf(pipelineId));
  useFresh(`pipeline:${pipelineId}`, (message) =>
    message.type === "started" || message.kind === "pipeline.changed" ? [traceOf(pipelineId).queryKey] : [],
  );
  const navigate = useNavigate();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { spans } = data;
  const rows = useMemo(() => waterfallRows(spans, closed, dataUpdatedAt), [spans, closed, dataUpdatedAt]);
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
      <section aria-label="Waterfall" className="board min-w-0 overflow-hidden">
        <p className="flex flex-wrap justify-between gap-x-4 border-b border-rule px-4 py-2 text-sm text-ink-soft">
          <span>
            {spans.length.toLocaleString()} spans in {timeTaken(wholeMs(spans, dataUpdatedAt))}
          </span>
          <span>
            <kbd className="font-mono text-xs">j</kbd> <kbd className="font-mono text-xs">k</kbd> walk,{" "}
            <kbd className="font-mono text-xs">←</kbd> <kbd className="font-mono text-xs">→</kbd> fold
          </span>
        </p>
        <p
          aria-hidden="true"
          className="span-row waterfall-scale border-b border-rule/70 py-2 text-xs text-ink-soft tabular-nums"
        >
          <span />
          <span className="flex justify-between">
            {[0, 0.25, 0.5, 0.75, 1].map((part) => (
              <span key={part}>{timeTaken(wholeMs(spans, dataUpdatedAt) * part)}</span>
            ))}
          </span>
          <span />
        </p>
        <WaterfallTree
          rows={rows}
          chosen={span?.spanId}
          onToggle={toggle}
          onChoose={(spanId) => {
            void navigate({
              ...paths.trace(pipelineId, { span: spanId }),
              replace: true,
              resetScroll: false,
            });
          }}
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
