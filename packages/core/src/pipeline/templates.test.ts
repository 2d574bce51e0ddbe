import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FailureStrategy } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { parsePipelineTemplates } from "../documents/pipeline-templates.ts";
import { propagateContext } from "./context/propagate-context.ts";
import { verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const text = readFileSync(join(import.meta.dirname, "../documents/fixtures/pipeline-templates.yaml"), "utf8");

function runOf(templateId: string): Run {
  const parsed = parsePipelineTemplates(text);
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.faults));
  const template = parsed.document.templates.find((one) => one.templateId === templateId);
  if (template === undefined) throw new Error(`no template ${templateId}`);
  const { policy } = template;
  return new Run(template.stages, {
    strategy: policy.failureStrategy,
    maxTotalRetries: policy.maxTotalRetries,
    maxRejections: policy.maxRejections,
    deadlineMs: Number(policy.pipelineDeadline?.seconds ?? 0n) * 1_000,
    requireAllStages: policy.requireAllStages,
  });
}

test("PIPE-3 implement-and-review runs stage by stage to the end", () => {
  const run = runOf("implement-and-review");
  expect(run.state.plan.policy).toMatchObject({
    failureStrategy: FailureStrategy.PAUSE,
    maxTotalRetries: 4,
    deadlineMs: 1_800_000,
  });
  expect(run.stages).toEqual({ implement: "READY", review: "PENDING", verify: "PENDING" });
  run.finish("implement", "review", "verify");
  expect(run.status).toBe("COMPLETED");
});

test("VERDICT-4 implement-and-review: a review sends the work back, once more through, and it completes", () => {
  const run = runOf("implement-and-review").finish("implement").send("review");
  run.report("review", { judgement: verdicts.rejectTo("implement") });
  expect(propagateContext(run.state, "implement", undefined)?.feedback).toContain("do it otherwise");
  run.finish("implement", "review", "verify");
  expect([run.status, run.state.rejectionsUsed]).toEqual(["COMPLETED", 1]);
});

test("SENT-2 D23 implement-and-review meets the spec's own missing route at verification, and a retry completes it", () => {
  const run = runOf("implement-and-review").finish("implement", "review").refuseDispatch("verify");
  expect([run.status, run.state.pause?.reason]).toEqual(["PAUSED", "waiting"]);
  run.resolve("verify", { option: "retry", instructions: "" }).finish("verify");
  expect(run.status).toBe("COMPLETED");
});

test("STAGE-3 critical-with-security runs its diamond in parallel, and verify waits for both", () => {
  const run = runOf("critical-with-security").finish("implement");
  expect(run.woken()).toEqual(["security-review", "review"]);
  run.send("security-review", "review");
  expect(run.stages).toMatchObject({
    "security-review": "DISPATCHED",
    review: "DISPATCHED",
    verify: "PENDING",
  });
  run.report("review");
  expect(run.stages).toMatchObject({ verify: "PENDING" });
  run.report("security-review").finish("verify");
  expect(run.status).toBe("COMPLETED");
});

test("PAUSE-4 critical-with-security: a question at one side of the diamond leaves the other at work", () => {
  const run = runOf("critical-with-security").finish("implement").send("security-review", "review");
  run.report("security-review", { judgement: verdicts.ask });
  expect([run.status, run.stages["review"]]).toEqual(["RUNNING", "DISPATCHED"]);
  run.report("review");
  expect(run.status).toBe("PAUSED");
  run.resolve("security-review", { option: "advance" }).finish("verify");
  expect(run.status).toBe("COMPLETED");
});
