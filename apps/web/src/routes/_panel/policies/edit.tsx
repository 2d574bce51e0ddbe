import { useSuspenseInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, notFound } from "@tanstack/react-router";
import { setInYaml } from "@signalbox/core/edit-yaml";
import { activeVersion, oneVersion, versionPages } from "../../../documents/document-queries.ts";
import type { WorkingDraft } from "../../../documents/stored-draft.ts";
import { knownNames } from "../../../documents/known-names.ts";
import { PolicyEditor } from "../../../policies/policy-editor.tsx";
import { firstPolicy, nextVersion } from "../../../policies/policy-outline.ts";
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
  loader: async ({ deps: { version, from } }) => {
    const named = version ?? from;
    try {
      await Promise.all([
        queryClient.ensureQueryData(knownNames()),
        queryClient.ensureInfiniteQueryData(versionPages(kind)),
        queryClient.ensureQueryData(activeVersion(kind)),
        named === undefined || queryClient.ensureQueryData(oneVersion(kind, named)),
      ]);
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: Edit,
});

function Edit() {
  const search = Route.useSearch();
  if (search.version !== undefined) return <OfVersion key={search.version} version={search.version} />;
  if (search.from !== undefined) return <FromVersion key={search.from} from={search.from} />;
  return <FromActive />;
}

function OfVersion({ version }: { version: string }) {
  const { data: stored } = useSuspenseQuery(oneVersion(kind, version));
  const isDraft = stored.status === "draft";
  const initial = useBeginning(isDraft ? undefined : stored.text);
  const { text, edit } = stored;
  const own: WorkingDraft = { text, base: { text, stored: { version, edit } } };
  return isDraft ? (
    <PolicyEditor name={version} stored={stored} initial={own} />
  ) : (
    <PolicyEditor name={`from ${version}`} stored={undefined} initial={initial} />
  );
}

function FromVersion({ from }: { from: string }) {
  const { data: stored } = useSuspenseQuery(oneVersion(kind, from));
  return <PolicyEditor name={`from ${from}`} stored={undefined} initial={useBeginning(stored.text)} />;
}

function FromActive() {
  const { data: active } = useSuspenseQuery(activeVersion(kind));
  const initial = useBeginning(active?.text);
  return <PolicyEditor name={`from ${active?.version ?? "nothing"}`} stored={undefined} initial={initial} />;
}

/** The text of another version, under the next version that nobody has. */
function useBeginning(text: string | undefined): WorkingDraft {
  const { data } = useSuspenseInfiniteQuery(versionPages(kind));
  if (text === undefined) return { text: firstPolicy, base: { text: firstPolicy, stored: null } };
  const taken = new Set(data.pages.flatMap(({ versions }) => versions.map(({ version }) => version)));
  const newest = data.pages[0]?.versions[0]?.version ?? "1.0.0";
  const next = setInYaml(text, ["routing_policy", "version"], nextVersion(newest, taken));
  return { text: next, base: { text: next, stored: null } };
}
