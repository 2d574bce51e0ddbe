import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PipelineLink } from "../escalations/pipeline-link.tsx";
import { ShowMore } from "../settings/show-more.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Signal } from "../ui/signal.tsx";
import { type RatedTask, resultPages } from "./learning-queries.ts";
import { ratingInWords, statusSignal } from "./learning-words.ts";
import { RatingForm } from "./rating-form.tsx";
import { RatingList } from "./rating-list.tsx";

/** Tasks of SAP V2.0, the newest first, and what people say of their results. */
export function ResultsView() {
  const pages = useSuspenseInfiniteQuery(resultPages());
  const results = pages.data.pages.flatMap((page) => page.results);
  if (results.length === 0)
    return (
      <Notice aspect="unlit" title="No task of SAP V2.0 has come yet">
        <p>
          Programs and agents send them to <code className="font-mono text-[0.9em]">POST /v1/sap/tasks</code>.
        </p>
      </Notice>
    );
  return (
    <div>
      <ul aria-label="Results" className="board divide-y divide-rule/70">
        {results.map((result) => (
          <ResultRow key={result.taskId} of={result} />
        ))}
      </ul>
      <ShowMore count={results.length} pages={pages} />
    </div>
  );
}

function ResultRow({ of }: { of: RatedTask }) {
  const { taskId, capability, territory, pipelineId, status, alignment, cacheHit, receivedAt, ratings } = of;
  const [isOpen, setOpen] = useState(false);
  const said = ratings.map((rating) => ratingInWords(rating)).join("; ");
  return (
    <li className="min-w-0 px-4 py-4 text-sm sm:px-6">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Signal {...statusSignal(status)} size="small" />
        <span className="anywhere font-mono text-xs font-medium">
          {capability}
          {territory === null ? "" : ` in ${territory}`}
        </span>
        <span className="text-ink-soft">
          {alignment === "VALID" ? "" : `${alignment.toLowerCase().replaceAll("_", " ")}, `}
          {cacheHit ? "answered by the cache, " : ""}
          <Moment at={receivedAt} />
        </span>
      </p>
      <p className="anywhere mt-1 font-mono text-xs text-ink-soft">
        {pipelineId === null ? taskId : <PipelineLink pipelineId={pipelineId}>{taskId}</PipelineLink>}
      </p>
      <details className="mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="anywhere min-h-11 content-center py-2">
          {said === "" ? "Not rated" : `Rated ${said}`}
          <span className="sr-only">: task {taskId}</span>
        </summary>
        {isOpen && (
          <div className="grid gap-6 py-3">
            <RatingList ratings={ratings} />
            <RatingForm taskId={taskId} status={status} ratings={ratings} />
          </div>
        )}
      </details>
    </li>
  );
}
