import { Link } from "@tanstack/react-router";
import { memo, useRef } from "react";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Signal } from "../ui/signal.tsx";
import { useRowKeys } from "../ui/row-keys.ts";
import type { PipelineSummary } from "./pipeline-queries.ts";
import { pipelineStatus } from "./statuses.ts";

type RowsProps = { pipelines: readonly PipelineSummary[]; label: string };

/** A list and not a table: only of a list's items can a browser pass over those that are out of sight. */
export function PipelineRows({ pipelines, label }: RowsProps) {
  return (
    <ol aria-label={label} className="board overflow-hidden">
      {pipelines.map((pipeline) => (
        <Row key={pipeline.pipelineId} pipeline={pipeline} />
      ))}
    </ol>
  );
}

/** The page's own list, however long: j and k go through it, and what is out of sight is not laid out (ADR 0031). */
export function PipelineRowsByKeys(rows: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  return (
    <div ref={list} className="[&_li]:[contain-intrinsic-size:auto_4.5rem] [&_li]:[content-visibility:auto]">
      <PipelineRows {...rows} />
    </div>
  );
}

const Row = memo(function Row({ pipeline }: { pipeline: PipelineSummary }) {
  const { word, aspect } = pipelineStatus(pipeline.status);
  return (
    <li className="relative grid gap-x-5 gap-y-1.5 border-b border-rule/70 px-4 py-3 last:border-b-0 focus-within:bg-recess/60 hover:bg-recess/60 sm:grid-cols-[9.5rem_minmax(0,1fr)_auto] sm:items-center sm:px-6">
      <Signal aspect={aspect} word={word} size="small" />
      <span className="min-w-0">
        <Link
          {...paths.pipeline(pipeline.pipelineId)}
          data-row
          className="anywhere font-medium before:absolute before:inset-0 focus-visible:outline-offset-[-2px]"
        >
          {pipeline.sourceTaskId ?? pipeline.pipelineId}
        </Link>
        <span className="anywhere block text-sm text-ink-soft">{pipeline.pipelineName}</span>
      </span>
      <span className="text-sm text-ink-soft tabular-nums">
        <Moment at={pipeline.createdAt} />
      </span>
    </li>
  );
});
