import { createFileRoute, notFound } from "@tanstack/react-router";
import { useState } from "react";
import { activeVersion, oneVersion, versionPages } from "../../../documents/document-queries.ts";
import { useEditorKey } from "../../../documents/kept-editor.ts";
import { knownNames } from "../../../documents/known-names.ts";
import { openingPolicy } from "../../../policies/opening-policy.ts";
import { PolicyEditor } from "../../../policies/policy-editor.tsx";
import { isNotFound } from "../../../problem/problem.ts";
import { queryClient } from "../../../trpc.ts";

const kind = "routing-policy";
type Search = { version?: string; from?: string };

export const Route = createFileRoute("/_panel/policies/edit")({
  validateSearch: ({ version, from }): Search => ({
    ...(typeof version === "string" && { version }),
    ...(typeof from === "string" && { from }),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { version, from }, cause }) => {
    const named = version ?? from;
    try {
      const [active, { pages }, one] = await Promise.all([
        queryClient.ensureQueryData(activeVersion(kind)),
        queryClient.fetchInfiniteQuery({
          ...versionPages(kind),
          staleTime: cause === "stay" ? Infinity : 0,
        }),
        named === undefined ? undefined : begun(named, cause === "stay"),
        queryClient.ensureQueryData(knownNames()),
      ]);
      return {
        named: one ?? active,
        versions: pages.flatMap((page) => page.versions.map((each) => each.version)),
      };
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: Edit,
});

/** What is opened begins as what there is now; who is writing already is told of what others do, and is not begun anew. */
const begun = (version: string, isOpen: boolean) =>
  isOpen
    ? queryClient.ensureQueryData(oneVersion(kind, version))
    : queryClient.fetchQuery({ ...oneVersion(kind, version), staleTime: 0 });

function Edit() {
  const search = Route.useSearch();
  const { version, from } = search;
  return <OpenPolicy key={useEditorKey(JSON.stringify([version, from]))} {...search} />;
}

/** What was read when the page was opened is what is written on; what others do meanwhile is told. */
function OpenPolicy(search: Search) {
  const { named, versions } = Route.useLoaderData();
  const [opened] = useState(() => openingPolicy(search, named, versions));
  return <PolicyEditor {...opened} />;
}
