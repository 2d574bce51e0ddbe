import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useConnection } from "../../connection/connection-store.ts";
import { about } from "../../overview/about-query.ts";
import { Facts } from "../../overview/facts.tsx";
import { NewestPacks } from "../../overview/newest-packs.tsx";
import { Work } from "../../overview/work.tsx";
import { loadWork, staleBy } from "../../overview/work-queries.ts";
import { WayOfWork } from "../../overview/way-of-work.tsx";
import { useFresh } from "../../live/use-fresh.ts";
import { packPages } from "../../packs/pack-queries.ts";
import { RegisterPackGuide } from "../../packs/register-pack-guide.tsx";
import { ReadinessBoard } from "../../readiness/readiness-board.tsx";
import { useReadiness } from "../../readiness/readiness-provider.tsx";
import { headlineOf, signalsOf } from "../../readiness/signals.ts";
import { queryClient } from "../../trpc.ts";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/")({
  loader: () =>
    Promise.all([
      queryClient.ensureQueryData(about()),
      queryClient.ensureInfiniteQueryData(packPages()),
      loadWork(),
    ]),
  component: Overview,
});

function Overview() {
  const readiness = useReadiness();
  const connection = useConnection().kind;
  useFresh("tenant", staleBy);
  const { data, hasNextPage } = useSuspenseInfiniteQuery(packPages());
  const packs = data.pages.flatMap((page) => page.packs);
  const packCount = hasNextPage ? `more than ${packs.length}` : `${packs.length}`;
  return (
    <Page wide title="Overview" lead={<output>{headlineOf(readiness, connection)}</output>}>
      <div className="grid gap-12 sm:gap-16">
        <ReadinessBoard signals={signalsOf(readiness, connection)} />
        <Work />
        <Panel heading="What Signalbox does">
          <WayOfWork />
        </Panel>
        <div className="grid gap-12 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {packs.length === 0 ? (
            <Panel heading="What to do next: register a pack">
              <RegisterPackGuide />
            </Panel>
          ) : (
            <Panel heading="Newest packs">
              <NewestPacks packs={packs.slice(0, 5)} />
            </Panel>
          )}
          <Panel heading="This signal box">
            <Facts packCount={packCount} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}
