import { may } from "@signalbox/core/permissions";
import { useSuspenseInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { NewTemplateForm } from "../../../templates/new-template-form.tsx";
import { versionPages } from "../../../documents/document-queries.ts";
import { useDocumentNews } from "../../../documents/use-document-news.ts";
import { kind, shownTemplates } from "../../../templates/template-queries.ts";
import { TemplateTable } from "../../../templates/template-table.tsx";
import { useReadTemplates } from "../../../templates/use-read-templates.ts";
import { TemplateVersions } from "../../../templates/template-versions.tsx";
import { queryClient } from "../../../trpc.ts";
import { Page } from "../../../ui/page.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Plate } from "../../../ui/plate.tsx";

export const Route = createFileRoute("/_panel/templates/")({
  validateSearch: ({ version }): { version?: string } =>
    typeof version === "string" && version !== "" ? { version } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) =>
    Promise.all([
      queryClient.ensureQueryData(shownTemplates(deps.version)),
      queryClient.ensureInfiniteQueryData(versionPages(kind)),
    ]),
  component: TemplatesPage,
});

function TemplatesPage() {
  useDocumentNews(kind);
  const { version } = Route.useSearch();
  const { session } = Route.useRouteContext();
  const { data: shown } = useSuspenseQuery(shownTemplates(version));
  const pages = useSuspenseInfiniteQuery(versionPages(kind));
  const { templates } = useReadTemplates(shown?.text);
  const drafts = may(session, "template.draft", undefined);
  return (
    <Page
      title="Templates"
      lead="The ways that work can take: stages, what follows what, and where a person is asked. Graph and YAML are one document, and what was published never changes."
    >
      <div className="grid gap-12">
        <Panel
          heading={version === undefined ? "Active" : `Version ${version}`}
          aside={shown === null ? undefined : <Plate>{shown.version}</Plate>}
        >
          {shown === null || templates.length === 0 ? (
            <p className="max-w-prose text-sm text-ink-soft">
              No template is active, so tasks can only ask for a task type and run as a single stage. Begin
              one below, and publish it.
            </p>
          ) : (
            <TemplateTable templates={templates} version={shown.version} />
          )}
        </Panel>
        <Panel heading="New template">
          {drafts.allowed ? (
            <NewTemplateForm taken={templates.map(({ id }) => id)} />
          ) : (
            <p className="text-sm text-ink-soft">Not allowed: {drafts.reason}.</p>
          )}
        </Panel>
        <Panel heading="Versions">
          <TemplateVersions pages={pages} />
        </Panel>
      </div>
    </Page>
  );
}
