import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { PipelineSchema } from "../gen/vasini/agent/v1/pipeline_pb.ts";
import { findViolations } from "./find-violations.ts";

type StageShape = { dependsOnStages?: string[]; edges?: { targetStageId: string }[] };

/** A chain in which each stage depends on the one before it, with one stage changed. */
function chain(length: number, changed: (index: number) => StageShape & { stageId?: string }) {
  return create(PipelineSchema, {
    pipelineId: "p",
    trace: { traceId: "t", spanId: "s", tenantId: "tenant" },
    stages: Array.from({ length }, (_, index) => {
      const { stageId = `s${index}`, ...config } = changed(index);
      const dependsOnStages = index === 0 ? [] : [`s${index - 1}`];
      return { stageId, stageOrder: index, config: { dependsOnStages, ...config } };
    }),
  });
}

const rulesBroken = (pipeline: ReturnType<typeof chain>) =>
  findViolations(PipelineSchema, pipeline).map(({ ruleId }) => ruleId);

describe.each([3, 64, 65, 256])("a pipeline of %i stages", (length) => {
  const last = length - 1;
  const atLast = (shape: StageShape & { stageId?: string }) => (index: number) =>
    index === last ? shape : {};

  test("is accepted when its stages stand in order", () => {
    expect(rulesBroken(chain(length, () => ({})))).toEqual([]);
  });

  test("is refused when two stages share an id", () => {
    expect(rulesBroken(chain(length, atLast({ stageId: "s0" })))).toContain("pipeline.stage_ids_unique");
  });

  test("is refused when a dependency is missing", () => {
    expect(rulesBroken(chain(length, atLast({ dependsOnStages: ["gone"] })))).toEqual([
      "pipeline.dependencies_exist",
    ]);
  });

  test("is refused when stages depend on each other in a circle", () => {
    const circle = chain(length, (index) => (index === 0 ? { dependsOnStages: [`s${last}`] } : {}));
    expect(rulesBroken(circle)).toEqual(["pipeline.dependencies_acyclic"]);
  });

  test("is refused when an edge leads back", () => {
    expect(rulesBroken(chain(length, atLast({ edges: [{ targetStageId: "s0" }] })))).toEqual([
      "pipeline.edges_lead_onward",
    ]);
  });
});

test("257 stages are too many", () => {
  expect(rulesBroken(chain(257, () => ({})))).toEqual(["repeated.max_items"]);
});
