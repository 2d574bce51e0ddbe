import { create } from "@bufbuild/protobuf";
import { PipelineStatus, RiskTier, TaskSubmissionSchema } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { policyText, template, templatesText } from "../testing/documents.ts";
import { startAgent } from "../testing/scripted-agent.ts";
import {
  askedBy,
  openTestEngine,
  packOf,
  publishPolicy,
  publishTemplates,
  registerPacks,
  type TestEngine,
} from "../testing/test-engine.ts";
import { getPipeline } from "./read-pipelines.ts";
import { submitTask } from "./submit-task.ts";
import { waitUntil } from "../testing/wait-until.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

test("a three-stage pipeline runs from its task to its end", async () => {
  const { engine } = opened;
  await registerPacks(engine, [packOf("builder")]);
  await publishPolicy(engine, policyText({ build: ["builder"], check: ["builder"] }));
  await publishTemplates(
    engine,
    templatesText([
      template("three", [
        { id: "a", taskType: "build" },
        { id: "b", taskType: "check", after: ["a"] },
        { id: "c", taskType: "check", after: ["b"] },
      ]),
    ]),
  );
  const agent = await startAgent({
    engine: () => engine,
    asked: askedBy("agent"),
    packId: "builder",
    instanceId: "builder-1",
  });
  const { pipelineId } = await submitTask(
    engine,
    askedBy("operator"),
    create(TaskSubmissionSchema, {
      work: { case: "templateId", value: "three" },
      contract: { taskId: "t-1", title: "Build it", acceptanceCriteria: ["it works"] },
      execution: { riskTier: RiskTier.LOW },
    }),
  );
  await waitUntil(async () => {
    const { state } = await getPipeline(engine, askedBy("viewer"), pipelineId);
    return state.status === PipelineStatus.COMPLETED;
  });
  await agent.stop();
  expect(opened.failures).toEqual([]);
});
