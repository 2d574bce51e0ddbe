import { createFileRoute, notFound } from "@tanstack/react-router";
import { isNotFound } from "../../../problem/problem.ts";
import { OpenEditor } from "../../../templates/editor/open-editor.tsx";
import { NoSuchTemplate } from "../../../templates/no-such-template.tsx";
import { knownNames } from "../../../documents/known-names.ts";
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
        queryClient.ensureQueryData(knownNames()),
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
  // Left and opened again, it must not begin as the draft that was published meanwhile.
  gcTime: 0,
  component: Edit,
  notFoundComponent: () => (
    <NoSuchTemplate {...Route.useParams()} version={Route.useSearch().from ?? "active"} />
  ),
});

function Edit() {
  return <OpenEditor {...Route.useParams()} {...Route.useSearch()} {...Route.useLoaderData()} />;
}
