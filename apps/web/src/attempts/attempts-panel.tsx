// A page's own styles come with it, and have no name.
// oxlint-disable-next-line import/no-unassigned-import
import "./attempts.css";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useFresh } from "../live/use-fresh.ts";
import { paths } from "../paths.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Plate } from "../ui/plate.tsx";
import { Signal } from "../ui/signal.tsx";
import { type AttemptSummary, oneAttempt } from "./attempt-queries.ts";
import { AttemptRail } from "./attempt-rail.tsx";
import type { AttemptSearch } from "./attempt-search.ts";
import { chosenAttempt, views } from "./chosen-attempt.ts";
import { attemptsOf } from "./part-queries.ts";
import { standingOf } from "./attempt-words.ts";
import { AttemptView } from "./attempt-view.tsx";
import { timeTaken } from "./time-taken.ts";

/** Every attempt of a pipeline, and one of them in depth. Which one, and what of it, stands in the address. */
export function AttemptsPanel({ pipelineId, search }: { pipelineId: string; search: AttemptSearch }) {
  const { data } = useSuspenseQuery(attemptsOf(pipelineId));
  const { attempts } = data;
  const selected = chosenAttempt(attempts, search);
  useFresh(`pipeline:${pipelineId}`, (message) =>
    message.type === "started" || message.kind === "pipeline.changed"
      ? [
          attemptsOf(pipelineId).queryKey,
          ...(selected === undefined ? [] : [oneAttempt(selected.dispatchId).queryKey]),
        ]
      : [],
  );
  if (attempts.length === 0)
    return (
      <Notice aspect="unlit" title="Nothing was sent to an agent yet">
        <p>
          An attempt begins when a stage is ready and an agent that may do it has room. It appears here by
          itself.
        </p>
      </Notice>
    );
  if (selected === undefined)
    return (
      <Notice aspect="unlit" title="This pipeline has no such attempt">
        <p>
          <Link {...paths.attempts(pipelineId)} className="font-medium underline underline-offset-4">
            Show its latest attempt
          </Link>
        </p>
      </Notice>
    );
  return (
    <div className="attempt-columns grid items-start gap-8">
      <AttemptRail
        pipelineId={pipelineId}
        attempts={attempts}
        selected={selected}
        search={search.view === undefined ? {} : { view: search.view }}
      />
      <div className="grid min-w-0 gap-6">
        <AttemptHead attempt={selected} />
        <ViewTabs pipelineId={pipelineId} attempt={selected} current={search.view} />
        <OneAttempt
          key={selected.dispatchId}
          pipelineId={pipelineId}
          attempts={attempts}
          selected={selected}
          search={search}
        />
      </div>
    </div>
  );
}

function AttemptHead({ attempt }: { attempt: AttemptSummary }) {
  const { aspect, word } = standingOf(attempt);
  const { sentAt, receivedAt } = attempt;
  return (
    <header className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="anywhere text-lg font-semibold">
          <span className="font-mono">{attempt.stageId}</span>, attempt {attempt.attemptNumber}
        </h2>
        <Signal aspect={aspect} word={word} size="small" />
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
        <Plate>{attempt.packId}</Plate>
        <span className="anywhere">
          {attempt.packVersion} as <span className="font-mono text-xs">{attempt.instanceId}</span>
        </span>
        <span>
          sent <Moment at={sentAt} exact />
        </span>
        {receivedAt !== null && <span>took {timeTaken(Date.parse(receivedAt) - Date.parse(sentAt))}</span>}
        <span>policy {attempt.policyVersion}</span>
      </p>
    </header>
  );
}

function ViewTabs({
  pipelineId,
  attempt,
  current,
}: {
  pipelineId: string;
  attempt: AttemptSummary;
  current: AttemptSearch["view"];
}) {
  return (
    <nav aria-label="Views of the attempt" className="flex gap-6 overflow-x-auto border-b border-rule">
      {views.map(({ view, name }) => (
        <Link
          key={name}
          {...paths.attempts(pipelineId, {
            stage: attempt.stageId,
            attempt: String(attempt.attemptNumber),
            ...(view !== undefined && { view }),
          })}
          replace
          resetScroll={false}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={view === current ? "page" : undefined}
          className={`-mb-px inline-flex min-h-11 items-center border-b-2 text-sm whitespace-nowrap ${view === current ? "border-ink font-semibold" : "border-transparent text-ink-soft hover:text-ink"}`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

function OneAttempt({
  pipelineId,
  attempts,
  selected,
  search,
}: {
  pipelineId: string;
  attempts: readonly AttemptSummary[];
  selected: AttemptSummary;
  search: AttemptSearch;
}) {
  const navigate = useNavigate();
  const { data, error } = useQuery(oneAttempt(selected.dispatchId));
  if (data === undefined)
    return error === null ? (
      <output className="text-ink-soft">Reading the attempt…</output>
    ) : (
      <ProblemNotice problem={problemOf(error)} />
    );
  return (
    <AttemptView
      pipelineId={pipelineId}
      attempt={data}
      before={attempts.findLast(
        ({ stageId, attemptNumber }) =>
          stageId === selected.stageId && attemptNumber < selected.attemptNumber,
      )}
      search={search}
      onSearch={(change) => {
        void navigate({
          ...paths.attempts(pipelineId, {
            ...search,
            stage: selected.stageId,
            attempt: String(selected.attemptNumber),
            ...change,
          }),
          replace: true,
          resetScroll: false,
        });
      }}
    />
  );
}
