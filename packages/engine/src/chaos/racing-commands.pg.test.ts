import { create } from "@bufbuild/protobuf";
import {
  HealthStatus,
  AgentHeartbeatSchema,
  Outcome,
  SignalboxError,
  type TaskEnvelope,
} from "@signalbox/contracts";
import type { Resolution } from "@signalbox/core";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { leaseTasks } from "../orchestrator/lease-tasks.ts";
import {
  abortPipeline,
  pausePipeline,
  resolveEscalation,
  resumePipeline,
  rewindPipeline,
} from "../orchestrator/person-commands.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import { heartbeat } from "../registry/heartbeat.ts";
import { resultFor } from "../testing/results.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { packId, seedWorkload, submission, type TemplateId } from "./testing/workload.ts";

const MANY = 1_000;
const agent = askedBy("agent");
const approver = askedBy("approver");
const operator = askedBy("operator");

let opened: TestEngine;
let engines: readonly [Engine, Engine];
beforeEach(async () => {
  opened = await openTestEngine();
  await seedWorkload(opened.made.appUrl);
  engines = [opened.engine, await opened.another()];
  await heartbeat(
    opened.engine,
    agent,
    create(AgentHeartbeatSchema, {
      packId,
      instanceId: "only",
      health: { status: HealthStatus.HEALTHY },
      capacity: { maxTasks: 500 },
    }),
  );
}, 120_000);
// Every end holds the record against the tables.
afterEach(async () => {
  await opened.end();
  if (opened.failures.length > 0) throw new AggregateError(opened.failures, "the engines told of failures");
}, 120_000);

const leaseOne = async (): Promise<TaskEnvelope> => {
  const { envelopes } = await leaseTasks(opened.engine, agent, {
    packId,
    instanceId: "only",
    maxTasks: 1,
    waitMs: 10_000,
  });
  if (envelopes[0] === undefined) throw new Error("nothing was sent");
  return envelopes[0];
};

const start = (templateId: TemplateId) => submitTask(opened.engine, operator, submission(templateId, "t-1"));
const idOf = ({ execution }: TaskEnvelope): string => execution?.dispatchId ?? "";

/** All at once, every second one at the other engine; how often each answer was given. */
async function race(
  count: number,
  ask: (engine: Engine, index: number) => Promise<unknown>,
): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      try {
        await ask(engines[index % 2] ?? opened.engine, index);
        return "done";
      } catch (error) {
        if (error instanceof SignalboxError) return error.code;
        throw error;
      }
    }),
  );
  return countOf(answers);
}

const countOf = (answers: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, (one) => one)].map(([answer, all]) => [answer, all.length]));

async function askedQuestion(): Promise<string> {
  const { pipelineId } = await start("line");
  const envelope = await leaseOne();
  await reportResult(opened.engine, agent, idOf(envelope), resultFor(envelope, { outcome: Outcome.PARTIAL }));
  return `${pipelineId}-e1`;
}

test("of 1,000 answers to one question one is taken, and the others are told that it was", async () => {
  const escalationId = await askedQuestion();
  const choices: readonly Resolution[] = [
    { option: "advance" },
    { option: "retry", instructions: "again" },
    { option: "abort" },
    { option: "rewind", stageId: "a", instructions: "from the start" },
  ];
  const answers = await race(MANY, (engine, index) =>
    resolveEscalation(engine, approver, escalationId, {
      resolution: choices[index % choices.length] ?? { option: "abort" },
      comment: `answer ${index}`,
    }),
  );
  expect(answers).toSatisfy(
    ({ done, ALREADY_RESOLVED = 0, INVALID_STATE = 0, ...others }: Record<string, number>) =>
      done === 1 && ALREADY_RESOLVED + INVALID_STATE === MANY - 1 && Object.keys(others).length === 0,
  );
  expect(
    await readRows(
      opened.made.url,
      "select count(*)::int as closed from signalbox.escalations where closed_at is not null",
    ),
  ).toEqual([{ closed: 1 }]);
}, 120_000);

test("D6: the same result reported 1,000 times counts once and is answered alike each time", async () => {
  await start("line");
  const envelope = await leaseOne();
  const result = resultFor(envelope);
  const receivedAt = new Set<number>();
  const answers = await race(MANY, async (engine) => {
    receivedAt.add((await reportResult(engine, agent, idOf(envelope), result)).receivedAt.getTime());
  });
  expect(answers).toEqual({ done: MANY });
  expect(receivedAt.size).toBe(1);
  expect(
    await readRows(
      opened.made.url,
      "select standing, count(*)::int as kept from signalbox.results group by 1",
    ),
  ).toEqual([{ standing: "counted", kept: 1 }]);
}, 120_000);

test("D6: of 1,000 different results for one dispatch the first counts, and the others are told that it is over", async () => {
  await start("line");
  const envelope = await leaseOne();
  const answers = await race(MANY, (engine, index) =>
    reportResult(engine, agent, idOf(envelope), resultFor(envelope, { summary: `result ${index}` })),
  );
  expect(answers).toEqual({ done: 1, STALE_DISPATCH: MANY - 1 });
  expect(
    await readRows(
      opened.made.url,
      "select standing, count(*)::int as kept from signalbox.results group by 1",
    ),
  ).toEqual([{ standing: "counted", kept: 1 }]);
}, 120_000);

test("of 1,000 aborts one ends the pipeline", async () => {
  const { pipelineId } = await start("diamond");
  const answers = await race(MANY, (engine) => abortPipeline(engine, operator, { pipelineId }));
  expect(answers).toEqual({ done: 1, INVALID_STATE: MANY - 1 });
}, 120_000);

test("results, answers, pauses, resumes, rewinds and aborts at once leave one record, whoever wins", async () => {
  const escalationId = await askedQuestion();
  const pipelineId = escalationId.slice(0, -"-e1".length);
  const { pipelineId: other } = await start("diamond");
  const envelope = await leaseOne();
  const ways: readonly ((engine: Engine, index: number) => Promise<unknown>)[] = [
    (engine, index) =>
      reportResult(engine, agent, idOf(envelope), resultFor(envelope, { summary: `result ${index}` })),
    (engine) =>
      resolveEscalation(engine, approver, escalationId, {
        resolution: { option: "retry", instructions: "again" },
        comment: "",
      }),
    (engine) => pausePipeline(engine, operator, { pipelineId: other }),
    (engine) => resumePipeline(engine, operator, { pipelineId: other }),
    (engine) => rewindPipeline(engine, operator, { pipelineId: other, stageId: "a", instructions: "anew" }),
    (engine, index) =>
      index > MANY / 2
        ? abortPipeline(engine, operator, { pipelineId: index % 2 === 0 ? other : pipelineId })
        : pausePipeline(engine, operator, { pipelineId }),
  ];
  const answers = await race(MANY, (engine, index) => {
    const way = ways[Math.floor(index / 2) % ways.length];
    return way === undefined ? Promise.resolve() : way(engine, index);
  });
  const allowed = new Set(["done", "ALREADY_RESOLVED", "STALE_DISPATCH", "INVALID_STATE"]);
  expect(Object.keys(answers).filter((answer) => !allowed.has(answer))).toEqual([]);
  const ended = await readRows(
    opened.made.url,
    `select count(*)::int as aborted from signalbox.pipelines where status = 6 and ended_at is not null`,
  );
  expect(ended).toEqual([{ aborted: 2 }]);
  const counted = await readRows(
    opened.made.url,
    `select count(*)::int as counted from signalbox.results where standing = 'counted' and pipeline_id = '${other}'`,
  );
  expect(Number(counted[0]?.["counted"])).toBeLessThanOrEqual(1);
}, 120_000);
