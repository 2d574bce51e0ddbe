import { create } from "@bufbuild/protobuf";
import {
  AuditEventType,
  ContextPropagationMode,
  FailureStrategy,
  StageConfigSchema,
} from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planJson, readPlan } from "../record/plan-codec.ts";
import { buildPlan } from "./build-plan.ts";
import { createPipeline } from "./create-pipeline.ts";
import { created, definitionOf, stage } from "./testing/definitions.ts";
import { anyDefinition } from "./testing/any-definition.ts";
import { Run } from "./testing/run.ts";

test("CREATE-1 stages are put in an order that their dependencies allow", () => {
  const { state } = created(
    definitionOf([stage("c", { dependsOn: ["b", "a"] }), stage("b", { dependsOn: ["a"] }), stage("a")]),
  );
  expect(state.plan.stages.map(({ stageId }) => stageId)).toEqual(["a", "b", "c"]);
  expect(state.plan.stages.map(({ dependents }) => dependents)).toEqual([[1, 2], [2], []]);
});

test("CREATE-1 what has no order is refused, with every fault named", () => {
  const broken = definitionOf([
    stage("a", { dependsOn: ["b"] }),
    stage("b", { dependsOn: ["a", "nowhere"] }),
    stage("c"),
    stage("c"),
  ]);
  expect(createPipeline(broken, 0)).toEqual({
    kind: "refused",
    faults: [
      { fault: "duplicate-stage", stageId: "c" },
      { fault: "unknown-dependency", stageId: "b", dependsOn: "nowhere" },
      { fault: "cycle", stageIds: ["a", "b"] },
    ],
  });
  expect(createPipeline(definitionOf([]), 0)).toEqual({ kind: "refused", faults: [{ fault: "no-stages" }] });
});

test("CREATE-1 pipelines of one template share its stages' plans, and those of another version have their own", () => {
  const [a, b] = [stage("a"), stage("b", { dependsOn: ["a"] })];
  const first = definitionOf([a, b]);
  const plansOf = (definition: typeof first) => created(definition).state.plan.stages;
  const again = { ...first, pipelineId: "another", policy: undefined };
  expect(plansOf(again)).toBe(plansOf(first));
  const next = { ...first, stages: [a, b, stage("c", { dependsOn: ["b"] })] };
  expect(plansOf(next).map(({ stageId }) => stageId)).toEqual(["a", "b", "c"]);
  expect(plansOf(first).map(({ dependents }) => dependents)).toEqual([[1], []]);
  const bare = { ...first, templateId: "" };
  expect(plansOf(bare)).toEqual(plansOf(first));
  expect(plansOf(bare)).not.toBe(plansOf(first));
});

test("CREATE-2 a dependency has a smaller stage_order, in any graph", () => {
  fc.assert(
    fc.property(anyDefinition, (definition) => {
      const { stages } = created(definition).state.plan;
      for (const [place, { stageOrder, dependsOn }] of stages.entries()) {
        expect(stageOrder).toBe(place);
        expect(dependsOn.every((dependency) => dependency < place)).toBe(true);
      }
    }),
  );
});

test("CREATE-3 every root is READY at its first attempt, the clock runs, and one entry records it", () => {
  const run = new Run([stage("a"), stage("b"), stage("c", { dependsOn: ["a", "b"] })], {
    deadlineMs: 60_000,
  });
  expect(run.status).toBe("RUNNING");
  expect(run.stages).toEqual({ a: "READY", b: "READY", c: "PENDING" });
  expect([run.stage("a").attemptNumber, run.stage("c").attemptNumber]).toEqual([1, 0]);
  expect(run.state.clock).toEqual({ remainingMs: 60_000, runningSince: 0, endsAt: null });
  expect(run.woken()).toEqual(["a", "b"]);
  expect(run.facts).toHaveLength(1);
  expect(run.facts[0]).toMatchObject({
    eventType: AuditEventType.PIPELINE_CREATED,
    revision: 1,
    snapshot: {
      case: "pipeline",
      value: { templateId: "template", templateVersion: "1.0.0", stageCount: 3 },
    },
  });
});

test("CREATE-4 what a template leaves out asks people rather than guess, and repeats little", () => {
  const bare = { stageId: "a", stageName: "", taskType: "t", config: create(StageConfigSchema) };
  const built = buildPlan({ ...definitionOf([bare]), policy: undefined });
  expect(built).toMatchObject({
    plan: {
      policy: {
        failureStrategy: FailureStrategy.PAUSE,
        deadlineMs: null,
        maxTotalRetries: 0,
        maxRejections: 0,
        requireAllStages: false,
      },
      stages: [
        {
          stageName: "a",
          propagation: { mode: ContextPropagationMode.NONE },
          retry: { maxAttempts: 2, initialBackoffMs: 1_000, backoffMultiplier: 2, maxBackoffMs: 60_000 },
        },
      ],
    },
  });
});

const rationaleOf = (definition: ReturnType<typeof definitionOf>, title?: string) => {
  const creation = createPipeline(definition, 0, { ...(title !== undefined && { title }) });
  if (creation.kind === "refused") throw new Error("it was refused");
  return creation.effects.flatMap((effect) => (effect.kind === "audit" ? [effect.fact.rationale] : []))[0];
};

test("CREATE-6 the entry says what the task is called, and never names a template that there is not", () => {
  const named = {
    ...definitionOf([stage("a")]),
    templateId: "build",
    templateVersion: "1.2.0",
    sourceTaskId: "TAS-1",
  };
  expect(rationaleOf(named, " Mend\nthe rounding ")).toBe(
    "Started from template build 1.2.0 for task TAS-1: Mend the rounding",
  );
  expect(rationaleOf(named)).toBe("Started from template build 1.2.0 for task TAS-1");
  expect(
    rationaleOf({ ...named, templateId: "", templateVersion: "", pipelineName: "triage" }, "Sort it"),
  ).toBe("Started as one stage, of the task type triage, for task TAS-1: Sort it");
  expect(rationaleOf({ ...named, sourceTaskId: "" })).toBe("Started from template build 1.2.0");
});

test("SAP-35 a task keeps the policy that accepted it, and its plan gives it back", () => {
  const { plan } = created({ ...definitionOf([stage("a")]), policyVersion: "7" }).state;
  expect([plan.policyVersion, readPlan(planJson(plan)).policyVersion]).toEqual(["7", "7"]);
  expect(created(definitionOf([stage("a")])).state.plan.policyVersion).toBeNull();
});
