import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Priority, RiskTier, TaskSubmissionSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { taskOf } from "./task.ts";
import { configOf, submission } from "./testing/attempt.ts";

test("what a submission leaves open is NORMAL, and has no limit", () => {
  expect(taskOf(submission(), [])).toMatchObject({
    timeoutMs: undefined,
    priority: Priority.NORMAL,
    riskTier: RiskTier.NORMAL,
    patchSizeLimit: 0,
    stages: [],
  });
});

test("what a submission says is read once", () => {
  const execution = {
    timeout: durationFromMs(900),
    priority: Priority.HIGH,
    riskTier: RiskTier.CRITICAL,
    patchSizeLimit: 40,
  };
  expect(taskOf(submission({ execution }), [])).toMatchObject({
    timeoutMs: 900,
    priority: Priority.HIGH,
    riskTier: RiskTier.CRITICAL,
    patchSizeLimit: 40,
  });
});

test("ATT-1 D3 each stage has its own contract, and the tools that this contract needs", () => {
  const { stages } = taskOf(
    submission({
      contract: { taskId: "t", title: "T", environment: { lintCommand: "oxlint src" } },
    }),
    [
      undefined,
      configOf({
        contractTemplate: { environment: { testCommand: "CI=1 ./node_modules/.bin/vitest run" } },
        handoffPolicy: { freshness: { requireDigest: true } },
      }),
    ],
  );
  expect(stages.map(({ requiredTools }) => requiredTools)).toEqual([["oxlint"], ["vitest"]]);
  expect(stages.map(({ contract }) => contract.taskId)).toEqual(["t", "t"]);
  expect(stages.map(({ freshness }) => freshness?.requireDigest)).toEqual([undefined, true]);
});

test("ATT-1 stages of which the template says nothing share the task's contract, and the list of its tools", () => {
  const contract = { taskId: "t", title: "T", environment: { lintCommand: "oxlint src" } };
  const [first, second] = taskOf(submission({ contract }), [undefined, configOf({})]).stages;
  expect(second?.contract).toBe(first?.contract);
  expect(second?.requiredTools).toBe(first?.requiredTools);
  expect(first?.requiredTools).toEqual(["oxlint"]);
});

test("a submission without a contract never becomes a task", () => {
  expect(() => taskOf(create(TaskSubmissionSchema), [])).toThrow("without a contract");
});
