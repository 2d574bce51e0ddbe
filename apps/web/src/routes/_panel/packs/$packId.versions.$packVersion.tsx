import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, notFound } from "@tanstack/react-router";
import { ConnectPanel } from "../../../instances/connect-panel.tsx";
import { ManifestFacts } from "../../../packs/manifest-facts.tsx";
import { NoSuchPack } from "../../../packs/no-such-pack.tsx";
import { onePack, packResource } from "../../../packs/pack-queries.ts";
import { paths, type PackPage } from "../../../paths.ts";
import { isNotFound } from "../../../problem/problem.ts";
import { queryClient } from "../../../trpc.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Page } from "../../../ui/page.tsx";
import { Plate } from "../../../ui/plate.tsx";

export const Route = createFileRoute("/_panel/packs/$packId/versions/$packVersion")({
  validateSearch: ({ view }): { view?: PackPage } => (view === "json" || view === "connect" ? { view } : {}),
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(onePack(params)),
        deps.view === "json" && queryClient.ensureQueryData(packResource(params)),
      ]);
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: Pack,
  notFoundComponent: () => <NoSuchPack {...Route.useParams()} />,
});

function Pack() {
  const identity = Route.useParams();
  const { view } = Route.useSearch();
  const { data: pack } = useSuspenseQuery(onePack(identity));
  return (
    <Page
      title={`${identity.packId} ${identity.packVersion}`}
      heading={<span className="font-mono">{identity.packId}</span>}
      lead={<Plate>{identity.packVersion}</Plate>}
      actions={
        <Link
          {...paths.instances(identity.packId)}
          className="text-sm font-medium underline underline-offset-4"
        >
          Its instances
        </Link>
      }
    >
      <nav aria-label="Views" className="mb-6 flex gap-6 border-b border-rule">
        <ViewLink link={paths.pack(identity)} current={view === undefined} name="Manifest" />
        <ViewLink link={paths.pack(identity, "json")} current={view === "json"} name="JSON" />
        <ViewLink
          link={paths.pack(identity, "connect")}
          current={view === "connect"}
          name="Connect an agent"
        />
      </nav>
      {view === "json" && <PackJson />}
      {view === "connect" && <ConnectPanel {...identity} />}
      {view === undefined && <ManifestFacts pack={pack} />}
    </Page>
  );
}

function PackJson() {
  const { data } = useSuspenseQuery(packResource(Route.useParams()));
  return (
    <CodeBlock
      what="the registered pack, as the REST interface gives it"
      code={JSON.stringify(data, null, 2)}
    />
  );
}

function ViewLink({
  link,
  current,
  name,
}: {
  link: ReturnType<typeof paths.pack>;
  current: boolean;
  name: string;
}) {
  return (
    <Link
      {...link}
      replace
      activeOptions={{ exact: true, includeSearch: true }}
      className={`-mb-px inline-flex min-h-11 items-center border-b-2 text-sm ${current ? "border-ink font-semibold" : "border-transparent text-ink-soft hover:text-ink"}`}
    >
      {name}
    </Link>
  );
}
