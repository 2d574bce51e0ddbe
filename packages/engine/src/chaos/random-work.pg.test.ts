import { setTimeout as pause } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { AgentResponseSchema, Outcome, SignalboxError, type TaskEnvelope } from "@signalbox/contracts";
import type { Escalation, Resolution } from "@signalbox/core";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import {
  abortPipeline,
  pausePipeline,
  resolveEscalation,
  resumePipeline,
  rewindPipeline,
} from "../orchestrator/person-commands.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import { policyText } from "../testing/documents.ts";
import { submission } from "../testing/pipelines.ts";
import { failedEvidence, resultFor } from "../testing/results.ts";
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
import { findRunFaults, waitUntilAllOver } from "./testing/check-run.ts";
import { randomTemplates } from "./testing/random-templates.ts";
import { emptyLog } from "./testing/remote-agent.ts";
import { chooseSeed, type Random, seededRandom } from "./testing/seeded-random.ts";
import { emptySubmissions } from "./testing/submissions.ts";

/** SIGNALBOX_TEST_PIPELINES asks for more, for a search by hand. */
const PIPELINES = Number(process.env["SIGNALBOX_TEST_PIPELINES"] ?? 40);
const TIMEOUT_MS = 700;

let opened: TestEngine;
let engines: readonly [Engine, Engine];
beforeEach(async () => {
  opened = await openTestEngine({ dispatchLeaseMs: 2_000, takeWithinMs: 2_000 });
  engines = [opened.engine, await opened.another()];
}, 60_000);
// Every end holds the record against the tables.
afterEach(() => opened.end(), 60_000);

/** Everything that an agent can do; nothing is said where it dies over it. */
function anyResult(random: Random, envelope: TaskEnvelope) {
  const outcome = (one: Outcome) => resultFor(envelope, { outcome: one });
  const response = (status: string) =>
    resultFor(envelope, {
      response: create(AgentResponseSchema, {
        status,
        thought: "",
        message: "said",
        data: { score: random.next() },
      }),
    });
  const kinds: readonly [number, () => ReturnType<typeof resultFor> | undefined][] = [
    [50, () => response("success")],
    [10, () => outcome(Outcome.RETRYABLE_FAILURE)],
    [7, () => outcome(Outcome.NON_RETRYABLE_FAILURE)],
    [6, () => outcome(Outcome.PARTIAL)],
    [4, () => outcome(Outcome.POLICY_BLOCKED)],
    [5, () => response("clarification_needed")],
    [4, () => response("failure")],
    [4, () => resultFor(envelope, failedEvidence)],
    [4, () => resultFor(envelope, { trace: { traceId: "another", spanId: "s", tenantId: "default" } })],
    [3, () => undefined],
    [
      6,
      () =>
        resultFor(envelope, {
          ...failedEvidence,
          blockers: [{ description: "wrong", suggestedResolution: `rewind: s${random.between(0, 3)}` }],
        }),
    ],
  ];
  let left = random.between(0, kinds.reduce((sum, [share]) => sum + share, 0) - 1);
  for (const [share, make] of kinds) {
    if (left < share) return make();
    left -= share;
  }
  return undefined;
}

const REFUSALS = new Set([
  "ALREADY_RESOLVED",
  "INVALID_STATE",
  "NOT_FOUND",
  "VALIDATION_FAILED",
  "STALE_DISPATCH",
]);

/** Whatever a person asks for is done, or refused as the state's or the caller's fault. */
async function tryIt(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof SignalboxError) || !REFUSALS.has(error.code)) throw error;
  }
}

function anyResolution(random: Random, { options, stageId }: Escalation, settling: boolean): Resolution {
  const [first = "abort", ...others] = settling
    ? options.filter((option) => option !== "rewind" && option !== "retry")
    : options.filter((option) => option !== "abort" || random.chance(0.1));
  const option = random.pick([first, ...others]);
  switch (option) {
    case "retry":
      return { option, instructions: "again" };
    case "rewind":
      return { option, stageId: random.chance(0.5) ? (stageId ?? "s0") : "s0", instructions: "anew" };
    case "answer":
      return { option, answer: "the first" };
    case "extend":
      return { option, byMs: 5_000 };
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return { option };
  }
}

test("whatever agents report and people do to whatever templates, on two engines, leaves one sound record", async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const agents = emptyLog();
  const submissions = emptySubmissions();
  const { ids, text } = randomTemplates(random, 12);
  const [first] = engines;
  await registerPacks(first, [packOf("worker"), packOf("other")]);
  await publishPolicy(
    first,
    policyText({ work: ["worker", "other"] }, { admission: { absence_grace: "1s", max_wait: "5s" } }),
  );
  await publishTemplates(first, text);
  const stage = { settling: false, answering: true };
  const anyEngine = () => random.pick(engines);
  const scripted = await Promise.all(
    ["worker", "other"].flatMap((packId) =>
      ["one", "two"].map((instanceId) =>
        startAgent({
          engine: anyEngine,
          asked: askedBy("agent"),
          packId,
          instanceId,
          async work(envelope) {
            agents.handed.push({ envelope, instanceId });
            await pause(random.chance(0.03) && !stage.settling ? TIMEOUT_MS + 200 : random.between(0, 20));
            return stage.settling ? resultFor(envelope) : anyResult(random, envelope);
          },
          onReport({ execution }, refusal) {
            if (refusal === undefined) agents.taken.push(execution?.dispatchId ?? "");
          },
        }),
      ),
    ),
  );
  const started: string[] = [];
  const submitAll = async () => {
    while (started.length < PIPELINES) {
      const taskId = `task-${started.length}`;
      const { pipelineId } = await submitTask(
        anyEngine(),
        askedBy("operator"),
        submission({
          work: { case: "templateId", value: random.pick([ids[0] ?? "", ...ids]) },
          contract: { taskId, title: taskId, acceptanceCriteria: ["done"] },
          execution: { riskTier: 1, timeout: durationFromMs(TIMEOUT_MS) },
        }),
      );
      submissions.tries.set(taskId, 1);
      submissions.acknowledged.push({ taskId, pipelineId });
      started.push(pipelineId);
      await pause(random.between(0, 30));
    }
  };
  const meddle = async () => {
    const operator = askedBy("operator");
    while (!stage.settling) {
      const pipelineId = random.pick([started[0] ?? "", ...started]);
      const ways = [
        () => pausePipeline(anyEngine(), operator, { pipelineId }),
        () => resumePipeline(anyEngine(), operator, { pipelineId }),
        () => resumePipeline(anyEngine(), operator, { pipelineId }),
        () =>
          rewindPipeline(anyEngine(), operator, {
            pipelineId,
            stageId: `s${random.between(0, 3)}`,
            instructions: "",
          }),
      ] as const;
      const way = random.pick(ways);
      await tryIt(() => (random.chance(0.02) ? abortPipeline(anyEngine(), operator, { pipelineId }) : way()));
      await pause(random.between(0, 10));
    }
  };
  const answer = async () => {
    while (stage.answering) {
      const open = await readRows(
        opened.made.url,
        "select pipeline_id || '-e' || number as id, escalation from signalbox.escalations where closed_at is null",
      );
      await Promise.all(
        open.map((row) =>
          tryIt(() =>
            resolveEscalation(anyEngine(), askedBy("approver"), String(row["id"]), {
              resolution: anyResolution(
                random,
                JSON.parse(String(row["escalation"])) as Escalation,
                stage.settling,
              ),
              comment: "",
            }),
          ),
        ),
      );
      if (stage.settling) {
        for (const pipelineId of started)
          await tryIt(() => resumePipeline(anyEngine(), askedBy("operator"), { pipelineId }));
      }
      await pause(50);
    }
  };

  try {
    const answered = answer();
    answered.catch(() => undefined);
    const meddled = meddle();
    meddled.catch(() => undefined);
    await submitAll();
    await pause(500);
    stage.settling = true;
    await meddled;
    await waitUntilAllOver(opened.made.url, 60_000);
    stage.answering = false;
    await answered;
    await Promise.all(scripted.map((agent) => agent.stop()));
    expect(await findRunFaults(opened.made.url, agents, submissions)).toEqual([]);
    expect(opened.failures).toEqual([]);
    // A run in which little happens shows little.
    const [seen] = await readRows(
      opened.made.url,
      "select count(distinct payload::json ->> 'action')::int as actions from signalbox.audit_entries where pipeline_id is not null",
    );
    expect(seen?.["actions"]).toBeGreaterThan(15);
  } catch (error) {
    throw new Error(`with SIGNALBOX_TEST_SEED=${seed}`, { cause: error });
  }
}, 180_000);
