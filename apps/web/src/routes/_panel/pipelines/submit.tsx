import { may } from "@signalbox/core/permissions";
import { createFileRoute } from "@tanstack/react-router";
import { SubmitTask } from "../../../pipelines/submit/submit-task.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";

export const Route = createFileRoute("/_panel/pipelines/submit")({
  validateSearch: ({ view }): { view?: "json" } => (view === "json" ? { view } : {}),
  component: Submit,
});

function Submit() {
  const { session } = Route.useRouteContext();
  const { view } = Route.useSearch();
  const submits = may(session, "task.submit", undefined);
  return (
    <Page
      title="Submit a task"
      lead="Say what is to be done and when it counts as done; the policy says who does it."
    >
      {submits.allowed ? (
        <SubmitTask asJson={view === "json"} session={session} />
      ) : (
        <Notice aspect="unlit" title="You may not submit tasks">
          <p>Not allowed: {submits.reason}.</p>
        </Notice>
      )}
    </Page>
  );
}
