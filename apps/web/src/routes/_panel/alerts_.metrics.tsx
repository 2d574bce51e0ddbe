import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { ActivityList } from "../../activity/activity-list.tsx";
import {
  activityIn,
  type ActivityRange,
  activityRanges,
  type ActivityRead,
  readActivitySearch,
} from "../../activity/activity-queries.ts";
import { useActivityNews } from "../../activity/use-activity-news.ts";
import { AlertsNav } from "../../alerts/alerts-nav.tsx";
import { paths } from "../../paths.ts";
import { queryClient } from "../../trpc.ts";
import { durationInWords } from "../../ui/duration.ts";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/alerts_/metrics")({
  validateSearch: readActivitySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { range = "hour" } }) => queryClient.ensureQueryData(activityIn(range)),
  component: Metrics,
});

const lead =
  "What happened, counted from the record: the same on every node. Prometheus reads its own from /metrics.";

function Metrics() {
  const { range = "hour" } = Route.useSearch();
  const { session } = Route.useRouteContext();
  const { data } = useSuspenseQuery(activityIn(range));
  useActivityNews();
  return (
    <Page title="Metrics" lead={lead}>
      <AlertsNav />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
        <Panel heading={`The last ${range}`} aside={<Ranges chosen={range} />}>
          <ActivityList of={data} canReadRecord={may(session, "audit.read", undefined).allowed} />
        </Panel>
        <Panel heading="How long pipelines take">
          <p className="max-w-prose text-sm">{timesInWords(data.completed)}</p>
        </Panel>
      </div>
    </Page>
  );
}

function Ranges({ chosen }: { chosen: ActivityRange }) {
  return (
    <ul aria-label="Range" className="flex gap-x-4">
      {activityRanges.map((range) => (
        <li key={range}>
          <Link
            {...paths.activity(range === "hour" ? {} : { range })}
            replace
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={range === chosen ? "page" : undefined}
            className="inline-flex min-h-9 items-center text-sm text-ink-soft hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:underline-offset-4"
          >
            {range[0]?.toUpperCase() + range.slice(1)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function timesInWords({ counted, medianMs, slowMs }: ActivityRead["completed"]): string {
  if (counted === 0 || medianMs === null || slowMs === null) return "None has completed yet.";
  return counted === 1
    ? `The one that completed took ${told(medianMs)}.`
    : `Of the ${counted} that completed last, half took at most ${told(medianMs)}, and nineteen of twenty at most ${told(slowMs)}.`;
}

/** Whole seconds, upwards: "at most" stays true. */
const told = (ms: number): string => durationInWords(Math.ceil(ms / 1000));
