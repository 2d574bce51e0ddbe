import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Outlet } from "@tanstack/react-router";
import { PipelineFrame } from "../../../pipelines/pipeline-frame.tsx";
import { NoSuchPipeline } from "../../../pipelines/no-such-pipeline.tsx";
import { onePipeline } from "../../../pipelines/pipeline-queries.ts";
import { queryClient } from "../../../trpc.ts";

/** What all parts of one pipeline share: its status, its track, what may be done. The parts are child routes. */
export const Route = createFileRoute("/_panel/pipelines/$pipelineId")({
  loader: ({ params }) => queryClient.ensureQueryData(onePipeline(params.pipelineId)),
  component: OnePipeline,
});

function OnePipeline() {
  const { pipelineId } = Route.useParams();
  const { data: pipeline } = useSuspenseQuery(onePipeline(pipelineId));
  if (pipeline === null) return <NoSuchPipeline pipelineId={pipelineId} />;
  return (
    <PipelineFrame pipeline={pipeline}>
      <Outlet />
    </PipelineFrame>
  );
}
