import { create, type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import {
  DispatchSnapshotSchema,
  type Pipeline,
  PipelineSchema,
  ReportResultRequestSchema,
  RoutingSchema,
  SnippetRefSchema,
  StageConfigSchema,
  StageEdgeSchema,
  StageSchema,
} from "../../src/index.ts";

/** For each rule across fields, by its id, what breaks it and nothing else. */
export const crossFieldBreakers: Readonly<Record<string, (message: ReflectMessage) => void>> = {
  "routing.selected_among_candidates": on(RoutingSchema, (routing) => {
    routing.candidatePackIds = ["senior-python-dev", "generalist-dev"];
  }),
  "dispatch_snapshot.selected_among_candidates": on(DispatchSnapshotSchema, (snapshot) => {
    snapshot.selectedPackId = "senior-ts-dev";
    snapshot.candidatePackIds = ["senior-python-dev"];
  }),
  "snippet_ref.lines_in_order": on(SnippetRefSchema, (snippet) => {
    snippet.startLine = 12;
    snippet.endLine = 11;
  }),
  "report_result_request.same_dispatch": on(ReportResultRequestSchema, (request) => {
    if (request.result) request.result.dispatchId = "another dispatch";
  }),
  "pipeline.stage_ids_unique": on(PipelineSchema, (pipeline) => {
    pipeline.stages = [stage("implement", 0), stage("implement", 1)];
  }),
  "pipeline.dependencies_exist": on(PipelineSchema, (pipeline) => {
    pipeline.stages = [stage("implement", 0), stage("review", 1, ["implement", "design"])];
  }),
  "pipeline.dependencies_acyclic": on(PipelineSchema, (pipeline) => {
    pipeline.stages = [
      stage("implement", 0, ["verify"]),
      stage("review", 1, ["implement"]),
      stage("verify", 2, ["review"]),
    ];
  }),
  "pipeline.edges_lead_onward": on(PipelineSchema, (pipeline) => {
    pipeline.stages = [stage("implement", 0), stage("review", 1, ["implement"], "implement")];
  }),
};

function on<Desc extends DescMessage>(
  schema: Desc,
  change: (message: MessageShape<Desc>) => void,
): (message: ReflectMessage) => void {
  return ({ message }) => {
    if (!isMessage(message, schema)) throw new Error(`${message.$typeName} is not ${schema.typeName}`);
    change(message);
  };
}

function stage(
  stageId: string,
  stageOrder: number,
  dependsOnStages: string[] = [],
  edgeTo?: string,
): Pipeline["stages"][number] {
  const edges = edgeTo === undefined ? [] : [create(StageEdgeSchema, { targetStageId: edgeTo })];
  const config = create(StageConfigSchema, { dependsOnStages, edges });
  return create(StageSchema, { stageId, stageOrder, config });
}
