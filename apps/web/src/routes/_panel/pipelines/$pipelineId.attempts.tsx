import { createFileRoute } from "@tanstack/react-router";
import { attemptsOf } from "../../../attempts/part-queries.ts";
import { type AttemptAddress, readAttemptSearch } from "../../../attempts/attempt-search.ts";
import { AttemptsPanel } from "../../../attempts/attempts-panel.tsx";
import { queryClient } from "../../../trpc.ts";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/pipelines/$pipelineId/attempts")({
  // What of it means something is read with the page: the shell has no room for it.
  validateSearch: ({ stage, attempt, view, show, from }): AttemptAddress => ({
    stage,
    attempt,
    view,
    show,
    from,
  }),
  loader: ({ params }) => queryClient.ensureQueryData(attemptsOf(params.pipelineId)),
  component: Attempts,
});

function Attempts() {
  return (
    <Panel heading="Attempts">
      <AttemptsPanel {...Route.useParams()} search={readAttemptSearch(Route.useSearch())} />
    </Panel>
  );
}
