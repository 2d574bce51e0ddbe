import { create } from "@bufbuild/protobuf";
import { FailureStrategy, StageEdgeSchema, StageJoin } from "@signalbox/contracts";
import fc from "fast-check";
import type { PipelineDefinition } from "../build-plan.ts";
import { definitionOf, stage } from "./definitions.ts";

/** Any DAG of 1 to 12 stages: an edge leads only from an earlier one, and the order of the document is shuffled. */
export const anyDefinition: fc.Arbitrary<PipelineDefinition> = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.record({
      stages: fc
        .tuple(...Array.from({ length: size }, (_, index) => anyStage(index)))
        .chain((stages) => fc.shuffledSubarray(stages, { minLength: size, maxLength: size })),
      policy: fc.record({
        strategy: fc.constantFrom(
          FailureStrategy.FAIL_FAST,
          FailureStrategy.SKIP_FAILED,
          FailureStrategy.PAUSE,
        ),
        maxTotalRetries: fc.integer({ min: 0, max: 4 }),
        maxRejections: fc.integer({ min: 0, max: 2 }),
        deadlineMs: fc.integer({ min: 50, max: 5_000 }),
        requireAllStages: fc.boolean(),
        taskDeadlineAt: fc.option(fc.integer({ min: 50, max: 5_000 }), { freq: 3, nil: undefined }),
      }),
    }),
  )
  .map(({ stages, policy }) => definitionOf(stages, policy));

const anyStage = (index: number) =>
  fc
    .record({
      dependsOn: fc.subarray(
        Array.from({ length: index }, (_, earlier) => `s${earlier}`),
        { maxLength: Math.min(3, index) },
      ),
      required: fc.boolean(),
      maxAttempts: fc.integer({ min: 1, max: 3 }),
      backoffMs: fc.constantFrom(0, 20),
    })
    .map((options) => stage(`s${index}`, options));

type Stage = PipelineDefinition["stages"][number];
const withConfig = (one: Stage, set: Partial<Stage["config"]>): Stage => ({
  ...one,
  config: { ...one.config, ...set },
});

const conditions = [
  "",
  'response.status == "failure"',
  'response.status == "success"',
  "response.data.score > 0.5",
  'result.outcome != "SUCCESS"',
  'response.data.score <= 0.5 || response.status == "failure"',
  'response.next_step_hint == "s3"',
] as const;

/** Any DAG whose stages also lead on by edges, some of them with conditions, to joins of either kind. */
export const anyEdgedDefinition: fc.Arbitrary<PipelineDefinition> = fc
  .tuple(
    anyDefinition,
    fc.array(fc.record({ from: fc.nat(), to: fc.nat(), condition: fc.constantFrom(...conditions) }), {
      maxLength: 12,
    }),
    fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  )
  .map(([definition, edges, joins]) => {
    const ids = definition.stages.map(({ stageId }) => Number(stageId.slice(1)));
    const size = ids.length;
    const wanted = edges.flatMap(({ from, to, condition }) => {
      const [earlier, later] = [from % size, to % size].toSorted((one, other) => one - other);
      return earlier === later ? [] : { from: `s${earlier}`, targetStageId: `s${later}`, condition };
    });
    const stages = definition.stages.map((one, place) =>
      withConfig(one, {
        join: joins[place] === true ? StageJoin.ANY : StageJoin.ALL,
        edges: wanted
          .filter(({ from }) => from === one.stageId)
          .map(({ targetStageId, condition }) => create(StageEdgeSchema, { targetStageId, condition })),
      }),
    );
    return Object.assign({}, definition, { stages });
  });

/** The same template with each plain dependency written as an edge without a condition, which comes to the same (D10). */
export const spelledOut = (definition: PipelineDefinition): PipelineDefinition => ({
  ...definition,
  stages: definition.stages.map((one) =>
    withConfig(one, {
      edges: definition.stages
        .filter((other) => other.config.dependsOnStages.includes(one.stageId))
        .map(({ stageId }) => create(StageEdgeSchema, { targetStageId: stageId })),
    }),
  ),
});
