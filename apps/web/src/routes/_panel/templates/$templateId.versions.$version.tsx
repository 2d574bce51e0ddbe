import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, notFound } from "@tanstack/react-router";
import { isNotFound } from "../../../problem/problem.ts";
import { NoSuchTemplate } from "../../../templates/no-such-template.tsx";
import { activeVersion, oneVersion } from "../../../documents/document-queries.ts";
import { kind } from "../../../templates/template-queries.ts";
import { type TemplateView, TemplateVersionPage } from "../../../templates/template-version-page.tsx";
import { queryClient } from "../../../trpc.ts";

type Search = { view?: TemplateView; stage?: string };

export const Route = createFileRoute("/_panel/templates/$templateId/versions/$version")({
  validateSearch: ({ view, stage }): Search => ({
    ...(view === "yaml" || view === "diff" ? { view } : {}),
    ...(typeof stage === "string" && stage !== "" ? { stage } : {}),
  }),
  loader: async ({ params }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(oneVersion(kind, params.version)),
        queryClient.ensureQueryData(activeVersion(kind)),
      ]);
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: Version,
  notFoundComponent: () => <NoSuchTemplate {...Route.useParams()} />,
});

function Version() {
  const { templateId, version } = Route.useParams();
  const { view = "graph", stage } = Route.useSearch();
  const { session } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  const { data } = useSuspenseQuery(oneVersion(kind, version));
  const { data: active } = useSuspenseQuery(activeVersion(kind));
  return (
    <TemplateVersionPage
      templateId={templateId}
      document={data}
      active={active}
      session={session}
      view={view}
      stage={stage}
      onStage={(chosen) => {
        void navigate({
          search: ({ stage: _before, ...rest }) => (chosen === undefined ? rest : { ...rest, stage: chosen }),
          replace: true,
          resetScroll: false,
        });
      }}
    />
  );
}
