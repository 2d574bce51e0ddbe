import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { HoldList } from "../../../settings/hold-list.tsx";
import { RetentionForm } from "../../../settings/retention-form.tsx";
import { useFresh } from "../../../live/use-fresh.ts";
import { retention, retentionKey } from "../../../settings/retention-queries.ts";
import { RetentionStanding } from "../../../settings/retention-standing.tsx";
import { SettingsPage } from "../../../settings/settings-page.tsx";
import { Notice } from "../../../ui/notice.tsx";

const lead = "The record goes by whole months, each when its time is over and nothing holds it.";

export const Route = createFileRoute("/_panel/settings/retention")({ component: Retention });

function Retention() {
  const { session } = Route.useRouteContext();
  const reads = may(session, "retention.read", undefined);
  return (
    <SettingsPage part="Retention" lead={lead}>
      {reads.allowed ? (
        <Kept />
      ) : (
        <Notice aspect="unlit" title="How long the record is kept is not shown to you">
          <p>Not allowed: {reads.reason}.</p>
        </Notice>
      )}
    </SettingsPage>
  );
}

function Kept() {
  const { data } = useSuspenseQuery(retention());
  // Whoever would object must see it while there is time.
  useFresh("tenant", (message) =>
    message.type === "started" || message.kind.startsWith("retention.") ? [retentionKey] : [],
  );
  return (
    <>
      <RetentionStanding of={data} />
      <HoldList holds={data.holds} />
      <RetentionForm of={data} />
    </>
  );
}
