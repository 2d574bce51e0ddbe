import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { countAble } from "../../../instances/ability.ts";
import { InstanceBoard } from "../../../instances/instance-board.tsx";
import { instancePages, instancesKey } from "../../../instances/instance-queries.ts";
import { useFresh } from "../../../live/use-fresh.ts";
import { paths } from "../../../paths.ts";
import { ProblemNotice } from "../../../problem/problem-notice.tsx";
import { problemOf } from "../../../problem/problem.ts";
import { ShowMore } from "../../../settings/show-more.tsx";
import { queryClient } from "../../../trpc.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Plate } from "../../../ui/plate.tsx";

export const Route = createFileRoute("/_panel/instances/")({
  validateSearch: ({ pack }): { pack?: string } =>
    typeof pack === "string" && pack.trim() !== "" ? { pack: pack.trim().slice(0, 500) } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => queryClient.ensureInfiniteQueryData(instancePages(deps.pack)),
  component: Instances,
});

const underlined = "font-medium underline underline-offset-4";

function Instances() {
  const { pack } = Route.useSearch();
  const pages = useSuspenseInfiniteQuery(instancePages(pack));
  useFresh("registry", () => [instancesKey]);
  const instances = pages.data.pages.flatMap((page) => page.instances);
  const { able, all, free } = countAble(instances);
  return (
    <Page
      wide
      title="Instances"
      lead="Running processes of packs, as their heartbeats tell of them, and who of them can be given work now."
    >
      <div className="grid gap-6">
        {pack !== undefined && (
          <p className="flex flex-wrap items-center gap-3 text-sm">
            Of the pack <Plate>{pack}</Plate>
            <Link {...paths.instances()} className={underlined}>
              Show all instances
            </Link>
          </p>
        )}
        {instances.length === 0 ? (
          <None pack={pack} />
        ) : (
          <div>
            <p className="mb-4 text-sm tabular-nums">
              {able} of {all} can be given work
              {free === undefined ? "." : `; ${free} ${free === 1 ? "place is" : "places are"} free.`}
            </p>
            <InstanceBoard instances={instances} readAt={pages.dataUpdatedAt} />
            <ShowMore count={instances.length} pages={pages} />
          </div>
        )}
        {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
      </div>
    </Page>
  );
}

function None({ pack }: { pack: string | undefined }) {
  return (
    <Notice
      aspect="unlit"
      title={
        pack === undefined ? "No instance has been heard of" : `No instance of ${pack} has been heard of`
      }
    >
      <p>
        An agent is here from its first heartbeat on. The page of{" "}
        <Link {...paths.packs()} className={underlined}>
          its pack
        </Link>{" "}
        says how to connect one.
      </p>
    </Notice>
  );
}
