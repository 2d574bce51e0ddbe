import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import { DispatchSnapshotSchema } from "../gen/vasini/agent/v1/audit_snapshot_pb.ts";
import { SnippetRefSchema } from "../gen/vasini/agent/v1/context_in_pb.ts";
import { ReportResultRequestSchema } from "../gen/vasini/agent/v1/control_plane_service_pb.ts";
import { type Pipeline, PipelineSchema, type Stage } from "../gen/vasini/agent/v1/pipeline_pb.ts";
import { RoutingSchema } from "../gen/vasini/agent/v1/routing_pb.ts";
import type { Accept } from "./value-acceptor.ts";

/**
 * The contract's CEL rules again, as functions. CEL in the descriptors is the authority: it alone names a violation.
 * These only let a message pass without it, and a test holds the two against each other.
 */
export const messageRules: ReadonlyMap<string, Accept> = new Map([
  rule("routing.selected_among_candidates", RoutingSchema, ({ selectedPackId, candidatePackIds }) =>
    candidatePackIds.includes(selectedPackId),
  ),
  rule(
    "dispatch_snapshot.selected_among_candidates",
    DispatchSnapshotSchema,
    ({ selectedPackId, candidatePackIds }) =>
      selectedPackId === "" || candidatePackIds.includes(selectedPackId),
  ),
  rule(
    "snippet_ref.lines_in_order",
    SnippetRefSchema,
    ({ startLine, endLine }) => endLine <= 0 || endLine >= startLine,
  ),
  rule(
    "report_result_request.same_dispatch",
    ReportResultRequestSchema,
    ({ dispatchId, result }) => result === undefined || ["", dispatchId].includes(result.dispatchId),
  ),
  rule(
    "pipeline.stage_ids_unique",
    PipelineSchema,
    ({ stages }) => stagesById(stages).size === stages.length,
  ),
  rule("pipeline.dependencies_exist", PipelineSchema, (pipeline) =>
    everyDependency(pipeline, (_stage, dependency) => dependency !== undefined),
  ),
  rule("pipeline.dependencies_acyclic", PipelineSchema, (pipeline) =>
    everyDependency(
      pipeline,
      (stage, dependency) => dependency === undefined || dependency.stageOrder < stage.stageOrder,
    ),
  ),
  rule("pipeline.edges_lead_onward", PipelineSchema, ({ stages }) => {
    const known = stagesById(stages);
    return stages.every((stage) =>
      (stage.config?.edges ?? []).every(
        ({ targetStageId }) =>
          targetStageId === "" || (known.get(targetStageId)?.stageOrder ?? -Infinity) > stage.stageOrder,
      ),
    );
  }),
]);

function rule<Desc extends DescMessage>(
  id: string,
  schema: Desc,
  holds: (message: MessageShape<Desc>) => boolean,
): [string, Accept] {
  return [id, (message) => isMessage(message, schema) && holds(message)];
}

function stagesById(stages: readonly Stage[]): Map<string, Stage> {
  return new Map(stages.map((stage) => [stage.stageId, stage]));
}

function everyDependency(
  { stages }: Pipeline,
  holds: (stage: Stage, dependency: Stage | undefined) => boolean,
): boolean {
  const known = stagesById(stages);
  return stages.every((stage) =>
    (stage.config?.dependsOnStages ?? []).every((stageId) => holds(stage, known.get(stageId))),
  );
}
