import { createFileRoute, notFound } from "@tanstack/react-router";
import { isNotFound } from "../../../problem/problem.ts";
import { OpenEditor } from "../../../templates/editor/open-editor.tsx";
import { NoSuchTemplate } from "../../../templates/no-such-template.tsx";
import { knownNames } from "../../../documents/known-names.ts";
import { useEditorKey } from "../../../documents/kept-editor.ts";
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
  loader: async ({ deps: { from }, cause }) => {
    try {
      const [active, base, { pages }] = await Promise.all([
        shown(undefined, cause === "stay"),
        shown(from, cause === "stay"),
        queryClient.fetchInfiniteQuery({
          ...versionPages(kind),
          staleTime: cause === "stay" ? Infinity : 0,
        }),
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

/** What is opened begins as what there is now; who is writing already is told of what others do, and is not begun anew. */
const shown = (version: string | undefined, isOpen: boolean) =>
  isOpen
    ? queryClient.ensureQueryData(shownTemplates(version))
    : queryClient.fetchQuery({ ...shownTemplates(version), staleTime: 0 });

function Edit() {
  const params = Route.useParams();
  const search = Route.useSearch();
  const key = useEditorKey(JSON.stringify([params.templateId, search.from, search.starter]));
  return <OpenEditor key={key} {...params} {...search} {...Route.useLoaderData()} />;
}
