import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  Outcome,
  PipelineStatus,
  RiskTier,
  SignalboxError,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leaseTasks } from "../orchestrator/lease-tasks.ts";
import {
  abortPipeline,
  pausePipeline,
  resolveEscalation,
  resumePipeline,
  rewindPipeline,
} from "../orchestrator/person-commands.ts";
import { getPipeline } from "../orchestrator/read-pipelines.ts";
import { renewDispatch } from "../orchestrator/renew-dispatch.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { packId, seedWorkload, submission } from "./testing/workload.ts";

const agent = askedBy("agent");
const approver = askedBy("approver");
const operator = askedBy("operator");
const viewer = askedBy("viewer");

let opened: TestEngine;
let worker: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await seedWorkload(opened.made.appUrl);
  worker = workByHand(opened.engine, packId);
}, 60_000);
// Every end holds the record against the tables.
afterEach(() => opened.end(), 60_000);

const HOSTILE = ["\0", "a\0b", "\u001E", "\uD83D", "' or 1=1 --", "x".repeat(100_000), "../..", "%00"];

const plain = {
  contract: { taskId: "t-1", title: "Do it", acceptanceCriteria: ["it is done"] },
  execution: { riskTier: RiskTier.LOW },
};

const ANSWERS = new Set([
  "done",
  "VALIDATION_FAILED",
  "NOT_FOUND",
  "STALE_DISPATCH",
  "INVALID_STATE",
  "ALREADY_RESOLVED",
]);

/** Done, or refused with a code that says whose fault it is; never one of ours. */
async function answerTo(ask: () => Promise<unknown>): Promise<string> {
  try {
    await ask();
    return "done";
  } catch (error) {
    return error instanceof SignalboxError ? error.code : `not an answer: ${String(error)}`;
  }
}

test.each(HOSTILE.map((text, index) => [index, text]))(
  "hostile text %i in every command is refused by name or kept as it is, and the record stays whole",
  async (_, text) => {
    const { engine } = opened;
    await worker.beat();
    const { pipelineId } = await submitTask(engine, operator, submission("line", "t-1"));
    const envelope = await worker.takeOne();
    await worker.report(envelope, { outcome: Outcome.PARTIAL });
    const hostileSubmission = create(TaskSubmissionSchema, {
      work: { case: "templateId", value: "line" },
      contract: { taskId: text, title: text, acceptanceCriteria: [text] },
      contextIn: { sharedContext: text.slice(0, 1_000), unresolvedAssumptions: [text] },
      execution: { riskTier: RiskTier.LOW },
    });
    const answers = await Promise.all(
      [
        () => submitTask(engine, operator, hostileSubmission),
        () =>
          submitTask(
            engine,
            operator,
            create(TaskSubmissionSchema, { ...plain, work: { case: "templateId", value: text } }),
          ),
        () =>
          submitTask(
            engine,
            operator,
            create(TaskSubmissionSchema, { ...plain, work: { case: "taskType", value: text } }),
          ),
        () => worker.beat({ instanceId: text }),
        () => worker.beat({ packId: text }),
        () => worker.beat({ availableTools: [text] }),
        () => leaseTasks(engine, agent, { packId: text, instanceId: text, maxTasks: 1, waitMs: 0 }),
        () => renewDispatch(engine, agent, text),
        () => renewDispatch(engine, agent, `${pipelineId}-d0.1${text}`),
        () => getPipeline(engine, viewer, text),
        () => abortPipeline(engine, operator, { pipelineId: text }),
        () => pausePipeline(engine, operator, { pipelineId, note: text }),
        () => resumePipeline(engine, operator, { pipelineId, note: text }),
        () => rewindPipeline(engine, operator, { pipelineId, stageId: text, instructions: text }),
        () => resolveEscalation(engine, approver, text, { resolution: { option: "abort" }, comment: text }),
        () =>
          resolveEscalation(engine, approver, `${pipelineId}-e1`, {
            resolution: { option: "rewind", stageId: text, instructions: text },
            comment: text,
          }),
        () =>
          resolveEscalation(engine, approver, `${pipelineId}-e1`, {
            resolution: { option: "retry", instructions: text },
            comment: text,
          }),
      ].map(answerTo),
    );
    expect(answers.map((answer) => (ANSWERS.has(answer) ? "answered" : answer))).toEqual(
      answers.map(() => "answered"),
    );
    expect(opened.failures).toEqual([]);
    // And the one that was there before goes on, or has been ended by what was asked.
    expect(["done", "INVALID_STATE"]).toContain(
      await answerTo(() => abortPipeline(engine, operator, { pipelineId })),
    );
    const { state } = await getPipeline(engine, viewer, pipelineId);
    expect(state.status).toBe(PipelineStatus.ABORTED);
  },
);

test.each([
  ["a hundred years ahead", 100 * 365 * 86_400_000],
  ["a hundred years behind", -100 * 365 * 86_400_000],
])("D8: an agent whose clock is %s is as present as any other", async (_, offMs) => {
  await worker.beat({ heartbeatAt: timestampFromMs(Date.now() + offMs) });
  const { pipelineId } = await submitTask(opened.engine, operator, submission("line", "t-1"));
  for (const stage of ["a", "b", "c"]) {
    await worker.beat({ heartbeatAt: timestampFromMs(Date.now() + offMs) });
    await worker.work(stage, {
      timing: {
        startedAt: timestampFromMs(Date.now() + offMs),
        finishedAt: timestampFromMs(Date.now() + offMs - 1_000),
      },
    });
  }
  const { state } = await getPipeline(opened.engine, viewer, pipelineId);
  expect(state.status).toBe(PipelineStatus.COMPLETED);
  const [instance] = await readRows(
    opened.made.url,
    `select abs(extract(epoch from heard_at - now())) < 60 as heard_by_our_clock,
       extract(epoch from lease_expires_at - now()) between 0 and 60 as lease_by_our_clock from signalbox.instances`,
  );
  expect(instance).toEqual({ heard_by_our_clock: true, lease_by_our_clock: true });
});

const dueIn = (ms: number) =>
  create(TaskSubmissionSchema, {
    ...plain,
    work: { case: "templateId", value: "line" },
    execution: { riskTier: RiskTier.LOW, deadline: timestampFromMs(Date.now() + ms) },
  });
const dispatches = () => readRows(opened.made.url, "select 1 from signalbox.dispatches");

test("a task whose deadline is over already is refused, and nothing of it is kept", async () => {
  await worker.beat();
  await expect(submitTask(opened.engine, operator, dueIn(-60_000))).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "execution.deadline" }],
  });
  expect(await readRows(opened.made.url, "select 1 from signalbox.pipelines")).toEqual([]);
});

test("a task whose deadline passes before anybody takes it is sent to nobody; a person is asked", async () => {
  const { pipelineId } = await submitTask(opened.engine, operator, dueIn(1_000));
  const read = async () => (await getPipeline(opened.engine, viewer, pipelineId)).state;
  await waitUntil(async () => (await read()).status === PipelineStatus.PAUSED);
  await worker.beat();
  expect(await worker.take(10, 0)).toEqual([]);
  const { escalations } = await read();
  expect(escalations.map(({ cause }) => cause)).toEqual(["deadline"]);
  expect(escalations[0]?.options).not.toContain("retry");
  expect(await dispatches()).toEqual([]);
  await resolveEscalation(opened.engine, approver, `${pipelineId}-e1`, {
    resolution: { option: "abort" },
    comment: "",
  });
});

test("an agent's dispatch is no lease of another instance's for the asking", async () => {
  await worker.beat();
  await submitTask(opened.engine, operator, submission("line", "t-1"));
  const envelope = await worker.takeOne();
  const stranger = workByHand(opened.engine, packId, "stranger");
  expect(await stranger.take(100, 0)).toEqual([]);
  expect(await worker.take(100, 0)).toEqual([]);
  expect(idOf(envelope)).not.toBe("");
  await worker.report(envelope);
});
