import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { alertPages, alertsKey } from "../../alerts/alert-queries.ts";
import { alertInWords } from "../../alerts/alert-words.ts";
import { PipelineLink } from "../../escalations/pipeline-link.tsx";
import { useFresh } from "../../live/use-fresh.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { ShowMore } from "../../settings/show-more.tsx";
import { queryClient } from "../../trpc.ts";
import { Moment } from "../../ui/moment.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Lamp } from "../../ui/signal.tsx";

export const Route = createFileRoute("/_panel/alerts")({
  loader: () => queryClient.ensureInfiniteQueryData(alertPages()),
  component: Alerts,
});

function Alerts() {
  const pages = useSuspenseInfiniteQuery(alertPages());
  useFresh("alerts", () => [alertsKey]);
  const alerts = pages.data.pages.flatMap((page) => page.alerts);
  return (
    <Page title="Alerts" lead="What needs somebody’s eye, the latest first. They are kept for 30 days.">
      {alerts.length === 0 ? (
        <Notice aspect="clear" title="No alert was raised" />
      ) : (
        <>
          <ul aria-label="Alerts" className="board divide-y divide-rule/70">
            {alerts.map(({ alertId, alert, detail, pipelineId, raisedAt }) => (
              <li key={alertId} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-4 py-4 sm:px-6">
                <Lamp aspect="caution" />
                <div className="min-w-0 text-sm">
                  <p className="font-medium">{alertInWords(alert)}</p>
                  <p className="anywhere mt-1">{detail}</p>
                  <p className="mt-1 flex flex-wrap gap-x-3 text-ink-soft">
                    <Moment at={raisedAt} exact />
                    {pipelineId !== null && (
                      <span className="font-mono text-xs leading-5">
                        <PipelineLink pipelineId={pipelineId}>{pipelineId}</PipelineLink>
                      </span>
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ul>
          <ShowMore count={alerts.length} pages={pages} />
        </>
      )}
      {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
    </Page>
  );
}
