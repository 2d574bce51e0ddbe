import { createFileRoute } from "@tanstack/react-router";
import { traceOf } from "../../../attempts/part-queries.ts";
import { TracePanel } from "../../../attempts/trace-panel.tsx";
import { queryClient } from "../../../trpc.ts";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/pipelines/$pipelineId/trace")({
  validateSearch: ({ span }): { span?: string } => (typeof span === "string" && span !== "" ? { span } : {}),
  loader: ({ params }) => queryClient.ensureQueryData(traceOf(params.pipelineId)),
  component: Trace,
});

function Trace() {
  return (
    <Panel heading="Trace">
      <TracePanel {...Route.useParams()} chosen={Route.useSearch().span} />
    </Panel>
  );
}
