import { createFileRoute, Link } from "@tanstack/react-router";
import { CacheView } from "../../../learning/cache-view.tsx";
import {
  aggregatePages,
  playbooks,
  proposalPages,
  recordPages,
  resultPages,
} from "../../../learning/learning-queries.ts";
import {
  type LearningSearch,
  learningViews,
  type LearningView,
  readLearningSearch,
} from "../../../learning/learning-search.ts";
import { ProposalsView } from "../../../learning/proposals-view.tsx";
import { ResultsView } from "../../../learning/results-view.tsx";
import { SignalsView } from "../../../learning/signals-view.tsx";
import { useLearningNews } from "../../../learning/use-learning-news.ts";
import { paths } from "../../../paths.ts";
import { queryClient } from "../../../trpc.ts";
import { Page } from "../../../ui/page.tsx";

export const Route = createFileRoute("/_panel/learning/")({
  validateSearch: readLearningSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => load(deps),
  component: Learning,
});

async function load({ view, by, capability }: LearningSearch): Promise<void> {
  switch (view) {
    case "cache":
      await Promise.all([
        queryClient.ensureInfiniteQueryData(aggregatePages("capability")),
        queryClient.ensureInfiniteQueryData(recordPages()),
      ]);
      return;
    case "signals":
      await queryClient.ensureInfiniteQueryData(aggregatePages(by ?? "capability", capability));
      return;
    case "results":
      await queryClient.ensureInfiniteQueryData(resultPages());
      return;
    case undefined:
    default:
      await Promise.all([
        queryClient.ensureInfiniteQueryData(proposalPages(true)),
        queryClient.ensureInfiniteQueryData(proposalPages(false)),
        queryClient.ensureQueryData(playbooks()),
      ]);
  }
}

const names: Readonly<Record<LearningView, string>> = {
  proposals: "Proposals",
  cache: "Cache",
  signals: "Signals",
  results: "Results",
};

function Learning() {
  const search = Route.useSearch();
  useLearningNews();
  return (
    <Page
      title="Cache and learning"
      lead="What results of SAP V2.0 and people’s ratings teach. It becomes policy only when somebody accepts it."
    >
      <nav aria-label="Views" className="mb-8 border-b border-rule">
        <ul className="flex flex-wrap gap-x-6">
          {learningViews.map((view) => (
            <li key={view}>
              <Link
                {...paths.learning(view === "proposals" ? {} : { view })}
                replace
                activeOptions={{ exact: true, includeSearch: true }}
                aria-current={(search.view ?? "proposals") === view ? "page" : undefined}
                className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-ink-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {names[view]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Shown search={search} />
    </Page>
  );
}

function Shown({ search }: { search: LearningSearch }) {
  switch (search.view) {
    case "cache":
      return <CacheView />;
    case "signals":
      return <SignalsView search={search} />;
    case "results":
      return <ResultsView />;
    case undefined:
    default:
      return <ProposalsView />;
  }
}
