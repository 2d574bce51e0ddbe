import { createFileRoute } from "@tanstack/react-router";
import { traceOf } from "../../../attempts/part-queries.ts";
import { TracePanel } from "../../../attempts/trace-panel.tsx";
import { readTraceSearch } from "../../../attempts/trace-search.ts";
import { queryClient } from "../../../trpc.ts";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/pipelines/$pipelineId/trace")({
  validateSearch: readTraceSearch,
  loader: ({ params }) => queryClient.ensureQueryData(traceOf(params.pipelineId)),
  component: Trace,
});

function Trace() {
  return (
    <Panel heading="Trace">
      <TracePanel {...Route.useParams()} search={Route.useSearch()} />
    </Panel>
  );
}
