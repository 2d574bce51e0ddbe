import { create, type JsonObject } from "@bufbuild/protobuf";
import { FailureStrategy, StageConfigSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { stage } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { stageNamed } from "../pipeline/ledger.ts";
import { inputsOf } from "./stage-inputs.ts";
import type { StageTask } from "./task.ts";

const said = (data: JsonObject, status = "success") => ({
  init: { response: { thought: "secret thought", status, data, message: `I ${status}`, nextStepHint: "" } },
});
const filled = (run: Run, stageId: string, inputs: object) => {
  const view = stageNamed(run.state, stageId);
  if (view === undefined) throw new Error(`no stage ${stageId}`);
  const config = create(StageConfigSchema, { inputs: { ...inputs } });
  return inputsOf(run.state, view, { config } as StageTask);
};
const chain = () => [
  stage("a"),
  stage("b", { dependsOn: ["a"] }),
  stage("c", { dependsOn: ["b"] }),
  stage("x"),
];

test("SACP-30 SACP-31 a stage is given what the stages before it answered, also those further back", () => {
  const run = new Run(chain())
    .send("a")
    .report("a", said({ names: ["Ann"] }))
    .finish("b");
  expect(filled(run, "c", { names: "{{a.data.names}}", note: "{{a.message}}, {{a.status}}" })).toEqual({
    kind: "filled",
    inputs: { names: ["Ann"], note: "I success, success" },
  });
});

test("SACP-32 of a stage that answered nothing in SACP there is the summary, where it gave one", () => {
  const run = new Run(chain()).finish("a", "b");
  expect(filled(run, "c", { note: "{{b.message}}" })).toMatchObject({
    kind: "unfilled",
    placeholder: "{{b.message}}",
  });
});

test("SACP-31 a handler is given what failed, and why", () => {
  const stages = [stage("a", { edges: { b: 'response.status == "failure"' }, maxAttempts: 1 }), stage("b")];
  const run = new Run(stages).send("a");
  run.apply({ kind: "lease-lost", ...run.fence("a"), leaseExpiredAt: 0 });
  expect(filled(run, "b", { why: "{{a.message}}", status: "{{a.status}}" })).toEqual({
    kind: "filled",
    inputs: { why: expect.stringContaining("did not renew its lease"), status: "failure" },
  });
});

test("a template that maps nothing costs nothing", () => {
  const run = new Run(chain());
  expect(inputsOf(run.state, stageNamed(run.state, "a") as never, undefined)).toBeUndefined();
});

test.each([
  [FailureStrategy.FAIL_FAST, "FAILED", "FAILED"],
  [FailureStrategy.PAUSE, "PAUSED", "FAILED"],
  [FailureStrategy.SKIP_FAILED, "COMPLETED", "SKIPPED"],
])(
  "SACP-33 inputs that cannot be filled fail the stage as the strategy says (%i)",
  (strategy, pipeline, status) => {
    const run = new Run([stage("a", { required: false })], { strategy });
    const problem = 'The inputs of stage "a" cannot be filled: {{b.data.x}} No such key: x';
    run.apply({ kind: "inputs-unfilled", stageId: "a", attemptNumber: 1, problem });
    expect([run.status, run.stages]).toEqual([pipeline, { a: status }]);
    expect(run.facts[1]?.rationale).toContain("{{b.data.x}}");
  },
);

test("SACP-33 an edge for failure handles it", () => {
  const run = new Run([stage("a", { edges: { b: 'response.status == "failure"' } }), stage("b")]);
  run.apply({ kind: "inputs-unfilled", stageId: "a", attemptNumber: 1, problem: "no value" });
  expect(run.stages).toEqual({ a: "FAILED", b: "READY" });
});
