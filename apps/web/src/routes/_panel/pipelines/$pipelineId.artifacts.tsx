import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { ArtifactList } from "../../../pipelines/artifact-list.tsx";
import { onePipeline } from "../../../pipelines/pipeline-queries.ts";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/pipelines/$pipelineId/artifacts")({ component: Artifacts });

function Artifacts() {
  const { pipelineId } = Route.useParams();
  const { data: pipeline } = useSuspenseQuery(onePipeline(pipelineId));
  if (pipeline === null) return null;
  return (
    <Panel heading="Artifacts">
      <ArtifactList pipeline={pipeline} />
    </Panel>
  );
}
