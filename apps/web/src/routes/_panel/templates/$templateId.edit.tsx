import { createFileRoute, notFound } from "@tanstack/react-router";
import { isNotFound } from "../../../problem/problem.ts";
import { OpenEditor } from "../../../templates/editor/open-editor.tsx";
import { NoSuchTemplate } from "../../../templates/no-such-template.tsx";
import { versionPages } from "../../../documents/document-queries.ts";
import { kind, shownTemplates } from "../../../templates/template-queries.ts";
import { queryClient } from "../../../trpc.ts";

type Search = { from?: string; starter?: string };

export const Route = createFileRoute("/_panel/templates/$templateId/edit")({
  validateSearch: ({ from, starter }): Search => ({
    ...(typeof from === "string" && from !== "" ? { from } : {}),
    ...(typeof starter === "string" && starter !== "" ? { starter } : {}),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { from } }) => {
    try {
      // Asked for anew: what is edited begins as what there is now.
      const [active, base, { pages }] = await Promise.all([
        queryClient.fetchQuery({ ...shownTemplates(), staleTime: 0 }),
        queryClient.fetchQuery({ ...shownTemplates(from), staleTime: 0 }),
        queryClient.fetchInfiniteQuery({ ...versionPages(kind), staleTime: 0 }),
      ]);
      return {
        active,
        base,
        versions: pages.flatMap((page) => page.versions.map(({ version }) => version)),
      };
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: Edit,
  notFoundComponent: () => (
    <NoSuchTemplate {...Route.useParams()} version={Route.useSearch().from ?? "active"} />
  ),
});

function Edit() {
  return <OpenEditor {...Route.useParams()} {...Route.useSearch()} {...Route.useLoaderData()} />;
}
