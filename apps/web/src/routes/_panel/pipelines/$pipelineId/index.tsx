import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { PipelineActions } from "../../../../pipelines/pipeline-actions.tsx";
import { PipelineFacts } from "../../../../pipelines/pipeline-facts.tsx";
import { onePipeline } from "../../../../pipelines/pipeline-queries.ts";
import { StageList } from "../../../../pipelines/stage-list.tsx";
import { Panel } from "../../../../ui/panel.tsx";

/** Of few pipelines. */
const PipelineResult = lazy(async () => {
  const { PipelineResult: component } = await import("../../../../learning/pipeline-result.tsx");
  return { default: component };
});

export const Route = createFileRoute("/_panel/pipelines/$pipelineId/")({ component: Stages });

function Stages() {
  const { pipelineId } = Route.useParams();
  const { data: pipeline } = useSuspenseQuery(onePipeline(pipelineId));
  if (pipeline === null) return null;
  return (
    <div className="grid gap-12">
      <Panel heading="What may be done">
        <PipelineActions pipeline={pipeline} />
      </Panel>
      <Panel heading="Stages">
        <StageList pipeline={pipeline} />
      </Panel>
      {pipeline.sourceTaskId.startsWith("sap:") && (
        <Suspense>
          <PipelineResult pipelineId={pipelineId} />
        </Suspense>
      )}
      <Panel heading="About this pipeline">
        <PipelineFacts pipeline={pipeline} />
      </Panel>
    </div>
  );
}
