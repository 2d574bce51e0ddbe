import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { alertPages, alertsKey } from "../../alerts/alert-queries.ts";
import { AlertsNav } from "../../alerts/alerts-nav.tsx";
import { ConditionList } from "../../alerts/condition-list.tsx";
import { alertInWords } from "../../alerts/alert-words.ts";
import { PipelineLink } from "../../escalations/pipeline-link.tsx";
import { useFresh } from "../../live/use-fresh.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { ShowMore } from "../../settings/show-more.tsx";
import { queryClient } from "../../trpc.ts";
import { Moment } from "../../ui/moment.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Lamp } from "../../ui/signal.tsx";

export const Route = createFileRoute("/_panel/alerts")({
  loader: () => queryClient.ensureInfiniteQueryData(alertPages()),
  component: Alerts,
});

function Alerts() {
  const pages = useSuspenseInfiniteQuery(alertPages());
  useFresh("alerts", () => [alertsKey]);
  useFresh("escalations", () => [alertsKey]);
  useFresh("registry", (message) =>
    message.type === "event" && message.kind === "instance.heard" ? [] : [alertsKey],
  );
  const alerts = pages.data.pages.flatMap((page) => page.alerts);
  return (
    <Page title="Alerts" lead="What needs somebody’s eye: what holds now, and what happened within 30 days.">
      <AlertsNav />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
        <Panel heading="Holding now">
          <ConditionList conditions={pages.data.pages[0]?.conditions ?? []} />
        </Panel>
        <Panel heading="What happened">
          {alerts.length === 0 ? (
            <p className="text-sm text-ink-soft">Nothing happened that needs somebody’s eye.</p>
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
        </Panel>
        {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
      </div>
    </Page>
  );
}
