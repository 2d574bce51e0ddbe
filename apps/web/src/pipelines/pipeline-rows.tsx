import { Link } from "@tanstack/react-router";
import { memo, useRef } from "react";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Signal } from "../ui/signal.tsx";
import { useRowKeys } from "../ui/row-keys.ts";
import { TaskName } from "./task-name.tsx";
import type { PipelineSummary } from "./pipeline-queries.ts";
import { GROUP } from "./drawn-groups.ts";
import { useDrawnGroups } from "./use-drawn-groups.ts";
import { pipelineStatus } from "./statuses.ts";

type RowsProps = { pipelines: readonly PipelineSummary[]; label: string };

type Stamped = { momentOf?: (pipeline: PipelineSummary) => string };

/** Each with when it was submitted, unless the list goes by another of its moments. */
export const PipelineRows = ({ pipelines, label, momentOf = submitted }: RowsProps & Stamped) => (
  <ol aria-label={label} className="board overflow-hidden">
    {pipelines.map((pipeline) => (
      <Row key={pipeline.pipelineId} pipeline={pipeline} moment={momentOf(pipeline)} />
    ))}
  </ol>
);

const submitted = ({ createdAt }: PipelineSummary) => createdAt;

/**
 * The page's own list, however long: j and k go through it, and of ten thousand rows those near what is seen are drawn
 * (ADR 0050). They stand in the flow of the page, so that the browser keeps what is read in its place when others come in above.
 */
export function PipelineRowsByKeys({ pipelines, label }: RowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const parts = useDrawnGroups(list, pipelines.length);
  useRowKeys(list);
  return (
    <ol ref={list} aria-label={label} className="board overflow-hidden">
      {parts.map((part) =>
        part.kind === "room" ? (
          <li key={`room ${part.group}`} aria-hidden="true" style={{ height: part.height }} />
        ) : (
          pipelines
            .slice(part.group * GROUP, (part.group + 1) * GROUP)
            .map((pipeline, index) => (
              <Row
                key={pipeline.pipelineId}
                pipeline={pipeline}
                at={part.group * GROUP + index + 1}
                of={pipelines.length}
              />
            ))
        ),
      )}
    </ol>
  );
}

type RowProps = { pipeline: PipelineSummary; moment?: string; at?: number; of?: number };

const Row = memo(function Row({ pipeline, moment = pipeline.createdAt, at, of }: RowProps) {
  const { word, aspect } = pipelineStatus(pipeline.status);
  return (
    <li
      aria-posinset={at}
      aria-setsize={of}
      data-group={at !== undefined && at % GROUP === 1 ? (at - 1) / GROUP : undefined}
      className="relative grid gap-x-5 gap-y-1.5 border-b border-rule/70 px-4 py-3 last:border-b-0 focus-within:bg-recess/60 hover:bg-recess/60 sm:grid-cols-[9.5rem_minmax(0,1fr)_auto] sm:items-center sm:px-6"
    >
      <Signal aspect={aspect} word={word} size="small" />
      <span className="min-w-0">
        <Link
          {...paths.pipeline(pipeline.pipelineId)}
          data-row
          className="block before:absolute before:inset-0 focus-visible:outline-offset-[-2px]"
        >
          <TaskName {...pipeline} />
        </Link>
        <span className="anywhere block text-sm text-ink-soft">{pipeline.pipelineName}</span>
      </span>
      <span className="text-sm text-ink-soft tabular-nums">
        <Moment at={moment} />
      </span>
    </li>
  );
});
