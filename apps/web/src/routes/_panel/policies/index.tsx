import { useSuspenseInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { activeVersion, versionPages } from "../../../documents/document-queries.ts";
import { useDocumentNews } from "../../../documents/use-document-news.ts";
import { usePublish, useRefusal } from "../../../documents/use-publish.ts";
import { paths } from "../../../paths.ts";
import { ActivePolicy } from "../../../policies/active-policy.tsx";
import { VersionTable } from "../../../policies/version-table.tsx";
import { ProblemNotice } from "../../../problem/problem-notice.tsx";
import { problemOf } from "../../../problem/problem.ts";
import { ShowMore } from "../../../settings/show-more.tsx";
import { queryClient } from "../../../trpc.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Panel } from "../../../ui/panel.tsx";

const kind = "routing-policy";

export const Route = createFileRoute("/_panel/policies/")({
  loader: () =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(versionPages(kind)),
      queryClient.ensureQueryData(activeVersion(kind)),
    ]),
  component: Policies,
});

const main =
  "inline-flex min-h-10 items-center rounded-sm border border-plate bg-plate px-4 text-sm font-medium text-plate-ink hover:bg-plate/85";

function Policies() {
  useDocumentNews(kind);
  const pages = useSuspenseInfiniteQuery(versionPages(kind));
  const { data: active } = useSuspenseQuery(activeVersion(kind));
  const publish = usePublish(kind);
  const mayNotPublish = useRefusal(kind, "publish");
  const mayNotDraft = useRefusal(kind, "draft");
  const versions = pages.data.pages.flatMap((page) => page.versions);
  return (
    <Page
      wide
      title="Routing policies"
      lead="Who may do what. Every dispatch decides on the version in force, and records which that was."
      actions={
        mayNotDraft === undefined ? (
          <Link {...paths.policyEditor()} className={main}>
            {active === null ? "Write the first policy" : "Edit as a new version"}
          </Link>
        ) : (
          <p className="text-sm text-ink-soft">{mayNotDraft}</p>
        )
      }
    >
      <div className="grid gap-12">
        {publish.error !== null && <ProblemNotice problem={problemOf(publish.error)} />}
        {publish.data !== undefined && (
          <Notice aspect="clear" title={`Routing policy ${publish.data.version} is in force`} />
        )}
        {active === null ? (
          <Notice aspect="caution" title="No routing policy is in force">
            <p>No task type has a route, so that each task asks a person. Publish a policy to begin.</p>
          </Notice>
        ) : (
          <ActivePolicy document={active} />
        )}
        {versions.length > 0 && (
          <Panel heading="Versions">
            <div className="board overflow-hidden">
              <VersionTable
                versions={versions}
                active={active?.version ?? null}
                refusal={mayNotPublish}
                onRollBack={(version, note) =>
                  publish.mutate({ version, note, replaces: active?.version ?? null })
                }
              />
            </div>
            <ShowMore count={versions.length} pages={pages} />
          </Panel>
        )}
      </div>
    </Page>
  );
}
