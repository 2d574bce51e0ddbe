import { create } from "@bufbuild/protobuf";
import { Outcome, TaskSubmissionSchema } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openQuestions, submission, submitTemplate } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { resultFor } from "../testing/results.ts";
import { startAgent } from "../testing/scripted-agent.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { listEscalations, getEscalation } from "./read-escalations.ts";
import { listAudit } from "../read-audit.ts";
import { abortPipeline } from "./person-commands.ts";
import { getPipeline, listEndedPipelines, listPipelines, readTrace } from "./read-pipelines.ts";
import { submitTask } from "./submit-task.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

test("a pipeline that is read while it moves is read as it was at one moment", async () => {
  const { engine } = opened;
  await prepare(engine);
  const agent = await startAgent({
    engine: () => engine,
    asked: askedBy("agent"),
    packId: "builder",
    instanceId: "builder-1",
    // The second stage fails for good, so that a question is opened while others read.
    work: (envelope) =>
      resultFor(
        envelope,
        envelope.routing?.taskType === "check" ? { outcome: Outcome.NON_RETRYABLE_FAILURE } : {},
      ),
  });
  const pipelineIds = await Promise.all(Array.from({ length: 20 }, () => submitTemplate(engine, "chain")));
  const stopped = new AbortController();
  const readers = pipelineIds.map(async (pipelineId) => {
    let reads = 0;
    for (; !stopped.signal.aborted; reads += 1) {
      await getPipeline(engine, askedBy("viewer"), pipelineId);
      const [root] = await readTrace(engine, askedBy("viewer"), pipelineId);
      if (root?.name !== "pipeline") throw new Error("a trace without a root");
    }
    return reads;
  });
  await waitUntil(async () => (await openQuestions(engine)).length === pipelineIds.length);
  stopped.abort();
  for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0);
  await agent.stop();
});

test("what ended last stands first, however long ago it was submitted; what has not ended stands nowhere", async () => {
  const { engine } = opened;
  await prepare(engine);
  const [first, second, third, open] = [
    await submitTemplate(engine, "chain"),
    await submitTemplate(engine, "chain"),
    await submitTemplate(engine, "chain"),
    await submitTemplate(engine, "chain"),
  ];
  const operator = askedBy("operator");
  for (const pipelineId of [second, third, first]) await abortPipeline(engine, operator, { pipelineId });
  const endedOf = async (limit: number) =>
    (await listEndedPipelines(engine, askedBy("viewer"), { limit })).pipelines.map(
      ({ pipelineId }) => pipelineId,
    );
  expect(await endedOf(10)).toEqual([first, third, second]);
  expect(await endedOf(2)).toEqual([first, third]);
  expect(await endedOf(10)).not.toContain(open);
  await expect(listEndedPipelines(engine, askedBy("agent"), { limit: 5 })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test("whoever may not submit or read is told so by the promise, and never while asking", async () => {
  const { engine } = opened;
  const nobody = askedBy("agent");
  const asked = [
    () => submitTask(engine, nobody, submission({ work: { case: "templateId", value: "chain" } })),
    () => submitTask(engine, askedBy("operator"), create(TaskSubmissionSchema)),
    () => getPipeline(engine, nobody, "p-1"),
    () => readTrace(engine, nobody, "p-1"),
  ];
  const answers = await Promise.allSettled(asked.map((ask) => ask()));
  expect(answers.map((answer) => answer.status === "rejected" && answer.reason)).toMatchObject([
    { code: "FORBIDDEN" },
    { code: "VALIDATION_FAILED" },
    { code: "FORBIDDEN" },
    { code: "FORBIDDEN" },
  ]);
});

const contract = (taskId: string, title: string) => ({
  contract: { taskId, title, acceptanceCriteria: ["it works"] },
});

test("CREATE-5 a task is shown and found by its id and its title, masked and on one line, in lists, questions and on record", async () => {
  const { engine } = opened;
  await prepare(engine);
  const [token, viewer] = [`ghp_${"a1B2c3D4e5F6".repeat(3)}`, askedBy("viewer")];
  const asked = await submitTemplate(engine, "chain", contract("TAS-114", `Mend\nthe rounding ${token}`));
  await submitTemplate(engine, "chain", contract("TAS-115", `Paint it ${"0123456789".repeat(60)}`));
  await expect(submitTemplate(engine, "chain", contract("TAS-116", " \n "))).rejects.toMatchObject({
    violations: [{ field: "contract.title", rule: "blank" }],
  });
  const found = async (query: string) =>
    (await listPipelines(engine, viewer, { query })).pipelines.map(({ taskTitle }) => taskTitle);
  const [title] = await found("tas-114");
  expect(title).toMatch(/^Mend the rounding \[redacted/);
  expect(await found("rounding mend")).toEqual([title]);
  expect(await found(token)).toEqual([]);
  expect((await found("paint"))[0]).toHaveLength(500);
  expect(await getPipeline(engine, viewer, asked)).toMatchObject({ taskTitle: title });
  const { entries } = await listAudit(engine, askedBy("auditor"), { q: "rounding" });
  expect(entries.map(({ pipelineId }) => pipelineId)).toEqual([asked]);
  expect((await listAudit(engine, askedBy("auditor"), { q: "TAS-114" })).entries).toHaveLength(1);

  const agent = await startAgent({
    engine: () => engine,
    asked: askedBy("agent"),
    packId: "builder",
    instanceId: "builder-1",
    work: (envelope) => resultFor(envelope, { outcome: Outcome.NON_RETRYABLE_FAILURE }),
  });
  await waitUntil(async () => (await openQuestions(engine)).length === 2);
  await agent.stop();
  const questions = async (query: string) =>
    (await listEscalations(engine, viewer, { query, open: true })).escalations;
  const [question] = await questions("tas-114");
  expect(question).toMatchObject({ pipelineId: asked, sourceTaskId: "TAS-114", taskTitle: title });
  expect(await questions("chain")).toHaveLength(2);
  expect(await questions("nothing says this")).toEqual([]);
  await expect(questions("x".repeat(201))).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect(await getEscalation(engine, viewer, question?.escalation.escalationId ?? "")).toMatchObject({
    sourceTaskId: "TAS-114",
    taskTitle: title,
  });
});
