import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { inboxKey, inboxPages } from "../../../escalations/escalation-queries.ts";
import { FilterBar } from "../../../escalations/filter-bar.tsx";
import { readFilter } from "../../../escalations/inbox-filters.ts";
import { isNarrowed, listInputOf } from "../../../escalations/inbox-search.ts";
import { InboxList } from "../../../escalations/inbox-list.tsx";
import { NoticeSwitch } from "../../../escalations/notice-switch.tsx";
import { peopleKey } from "../../../escalations/people.ts";
import { useFresh } from "../../../live/use-fresh.ts";
import { paths } from "../../../paths.ts";
import { ProblemNotice } from "../../../problem/problem-notice.tsx";
import { type Problem, problemOf } from "../../../problem/problem.ts";
import { refusalOf, RefusedSearch } from "../../../problem/refused-search.tsx";
import { ShowMore } from "../../../settings/show-more.tsx";
import { queryClient } from "../../../trpc.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";

export const Route = createFileRoute("/_panel/escalations/")({
  validateSearch: readFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, context }) =>
    refusalOf(queryClient.ensureInfiniteQueryData(inboxPages(listInputOf(deps, context.session.actor.id)))),
  component: Inbox,
});

function Inbox() {
  const refusal = Route.useLoaderData();
  return refusal === undefined ? <QuestionList /> : <Refused problem={refusal} />;
}

function QuestionList() {
  const filter = Route.useSearch();
  const { session } = Route.useRouteContext();
  const pages = useSuspenseInfiniteQuery(inboxPages(listInputOf(filter, session.actor.id)));
  useFresh("escalations", () => [inboxKey, peopleKey]);
  const escalations = pages.data.pages.flatMap((page) => page.escalations);
  return (
    <Page
      wide
      title="Escalations"
      lead="Questions that only a person may answer. Each is to be answered within 30 minutes; what waits longest stands first."
      actions={<NoticeSwitch />}
    >
      <div className="grid gap-6">
        <FilterBar filter={filter} />
        {escalations.length === 0 ? (
          <Nothing open={filter.status === undefined} narrowed={isNarrowed(filter)} />
        ) : (
          <div>
            <InboxList escalations={escalations} />
            <ShowMore count={escalations.length} pages={pages} />
          </div>
        )}
        {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
        <p className="hidden text-sm text-ink-soft sm:block">
          <kbd className="font-mono">j</kbd> and <kbd className="font-mono">k</kbd> go through the list,{" "}
          <kbd className="font-mono">Enter</kbd> opens.
        </p>
      </div>
    </Page>
  );
}

function Nothing({ open, narrowed }: { open: boolean; narrowed: boolean }) {
  if (narrowed)
    return (
      <Notice aspect="unlit" title="No escalation is like that">
        <ShowAll />
      </Notice>
    );
  return open ? (
    <Notice aspect="clear" title="Nothing waits for a person">
      <p>What an agent, a gate or the policy asks is here the moment it is asked.</p>
    </Notice>
  ) : (
    <Notice aspect="unlit" title="Nothing was ever asked" />
  );
}

function Refused({ problem }: { problem: Problem }) {
  const filter = Route.useSearch();
  return (
    <RefusedSearch
      problem={problem}
      title="Escalations"
      filters={<FilterBar filter={filter} />}
      showAll={<ShowAll />}
    />
  );
}

const ShowAll = () => (
  <Link {...paths.escalations()} className="font-medium underline underline-offset-4">
    Show all that wait
  </Link>
);
