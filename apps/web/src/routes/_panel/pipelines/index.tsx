import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { readFilter, searchOf } from "../../../pipelines/filter.ts";
import { PipelineFilter } from "../../../pipelines/pipeline-filter.tsx";
import { pipelinePages, type PipelineSearch } from "../../../pipelines/pipeline-queries.ts";
import { PipelineRowsByKeys } from "../../../pipelines/pipeline-rows.tsx";
import { StartDemonstration } from "../../../pipelines/start-demonstration.tsx";
import { SubmitTaskLink } from "../../../pipelines/submit-task-link.tsx";
import { useLivePages } from "../../../pipelines/use-live-pages.ts";
import { paths } from "../../../paths.ts";
import { ProblemNotice } from "../../../problem/problem-notice.tsx";
import { type Problem, problemOf } from "../../../problem/problem.ts";
import { refusalOf, RefusedSearch } from "../../../problem/refused-search.tsx";
import { queryClient } from "../../../trpc.ts";
import { ShowMore } from "../../../settings/show-more.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/pipelines/")({
  validateSearch: readFilter,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const search = searchOf(deps, Date.now());
    return { search, refusal: await refusalOf(queryClient.ensureInfiniteQueryData(pipelinePages(search))) };
  },
  component: Pipelines,
});

function Pipelines() {
  const { search, refusal } = Route.useLoaderData();
  return refusal === undefined ? <PipelineList search={search} /> : <Refused problem={refusal} />;
}

function PipelineList({ search }: { search: PipelineSearch }) {
  const filter = Route.useSearch();
  const pages = useSuspenseInfiniteQuery(pipelinePages(search));
  useLivePages(search);
  const pipelines = pages.data.pages.flatMap((page) => page.pipelines);
  const isFiltered = Object.values(filter).some((said) => said !== undefined);
  return (
    <Page
      wide
      title="Pipelines"
      lead="Tasks on their way, the newest first. j and k go from row to row, enter opens one."
      actions={<SubmitTaskLink />}
    >
      <div className="grid gap-6">
        <PipelineFilter key={JSON.stringify(filter)} filter={filter} />
        {pipelines.length > 0 && (
          <PipelineRowsByKeys pipelines={pipelines} label="Pipelines, the newest first" />
        )}
        {pipelines.length === 0 && isFiltered && (
          <Notice aspect="unlit" title="No pipeline is as you ask">
            <ShowAll />
          </Notice>
        )}
        {pipelines.length === 0 && !isFiltered && (
          <Panel heading="No task has been submitted yet">
            <StartDemonstration />
          </Panel>
        )}
        {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
        {pipelines.length > 0 && <ShowMore count={pipelines.length} pages={pages} readsOn />}
      </div>
    </Page>
  );
}

function Refused({ problem }: { problem: Problem }) {
  const filter = Route.useSearch();
  return (
    <RefusedSearch
      problem={problem}
      title="Pipelines"
      filters={<PipelineFilter key={JSON.stringify(filter)} filter={filter} />}
      showAll={<ShowAll />}
    />
  );
}

const ShowAll = () => (
  <Link {...paths.pipelines()} className="font-medium underline underline-offset-4">
    Show all pipelines
  </Link>
);
