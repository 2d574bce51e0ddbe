import { may } from "@signalbox/core/permissions";
import { createFileRoute } from "@tanstack/react-router";
import { RedactionPolicy } from "../../../settings/redaction-policy.tsx";
import { RedactionTrial } from "../../../settings/redaction-trial.tsx";
import { SettingsPage } from "../../../settings/settings-page.tsx";
import { Notice } from "../../../ui/notice.tsx";

const lead =
  "Secrets are masked before anything is stored, decided on or shown. What cannot be masked is not written.";

export const Route = createFileRoute("/_panel/settings/redaction")({ component: Redaction });

function Redaction() {
  const { session } = Route.useRouteContext();
  const reads = may(session, "policy.read", undefined);
  return (
    <SettingsPage part="Redaction" lead={lead}>
      {reads.allowed ? (
        <>
          <RedactionTrial />
          <RedactionPolicy />
        </>
      ) : (
        <Notice aspect="unlit" title="What is masked is not shown to you">
          <p>Not allowed: {reads.reason}.</p>
        </Notice>
      )}
    </SettingsPage>
  );
}
