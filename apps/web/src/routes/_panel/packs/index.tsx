import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { PackSearch } from "../../../packs/pack-search.tsx";
import { PackTable } from "../../../packs/pack-table.tsx";
import { packPages } from "../../../packs/pack-queries.ts";
import { RegisterPackGuide } from "../../../packs/register-pack-guide.tsx";
import { paths } from "../../../paths.ts";
import { ProblemNotice } from "../../../problem/problem-notice.tsx";
import { type Problem, problemOf } from "../../../problem/problem.ts";
import { refusalOf, RefusedSearch } from "../../../problem/refused-search.tsx";
import { searchWords } from "../../../search-text.ts";
import { ShowMore } from "../../../settings/show-more.tsx";
import { queryClient } from "../../../trpc.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/packs/")({
  validateSearch: (search): { q?: string } => {
    const q = searchWords(search["q"]);
    return q === undefined ? {} : { q };
  },
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => refusalOf(queryClient.ensureInfiniteQueryData(packPages(deps.q))),
  component: Packs,
});

function Packs() {
  const refusal = Route.useLoaderData();
  return refusal === undefined ? <PackList /> : <Refused problem={refusal} />;
}

function PackList() {
  const { q } = Route.useSearch();
  const pages = useSuspenseInfiniteQuery(packPages(q));
  const packs = pages.data.pages.flatMap((page) => page.packs);
  if (packs.length === 0 && q === undefined) return <NoPacks />;
  return (
    <Page
      wide
      title="Packs"
      lead="Agents by what they say they can do. A version, once registered, never changes."
    >
      <div className="grid gap-6">
        <PackSearch key={q ?? ""} search={q} />
        {packs.length === 0 ? (
          <NothingFound q={q ?? ""} />
        ) : (
          <div>
            <div className="board overflow-hidden">
              <PackTable packs={packs} />
            </div>
            <ShowMore count={packs.length} pages={pages} />
          </div>
        )}
        {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
      </div>
    </Page>
  );
}

function Refused({ problem }: { problem: Problem }) {
  const { q } = Route.useSearch();
  return (
    <RefusedSearch
      problem={problem}
      title="Packs"
      filters={<PackSearch key={q ?? ""} search={q} />}
      showAll={<ShowAll />}
    />
  );
}

const ShowAll = () => (
  <Link {...paths.packs()} className="font-medium underline underline-offset-4">
    Show all packs
  </Link>
);

function NoPacks() {
  return (
    <Page
      title="Packs"
      lead="No pack is registered yet. Work can be sent only to packs that say what they can do."
    >
      <Panel heading="Register the first pack">
        <RegisterPackGuide />
      </Panel>
    </Page>
  );
}

function NothingFound({ q }: { q: string }) {
  return (
    <Notice aspect="unlit" title={`No pack matches “${q}”`}>
      <ShowAll />
    </Notice>
  );
}
