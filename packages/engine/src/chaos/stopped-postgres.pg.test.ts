import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type EmbeddedPostgres, prepareDatabase, startEmbeddedPostgres } from "@signalbox/db";
import { startRelay } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import { resultFor } from "../testing/results.ts";
import { type ScriptedAgent, startAgent } from "../testing/scripted-agent.ts";
import { askedBy, openNode } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { findRunFaults, waitUntilAllOver } from "./testing/check-run.ts";
import { emptySubmissions, submitUntilKnown } from "./testing/submissions.ts";
import { emptyLog } from "./testing/remote-agent.ts";
import { chooseSeed, seededRandom } from "./testing/seeded-random.ts";
import { packId, seedWorkload, submission } from "./testing/workload.ts";

const STOPS = 5;
const PIPELINES = 200;

let directory: string;
let postgres: EmbeddedPostgres;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-stopped-"));
  // As root, Postgres runs as another user, who must get through.
  chmodSync(directory, 0o711);
  postgres = await startEmbeddedPostgres({ directory, durable: true });
}, 120_000);
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end().catch(() => undefined);
  await postgres.stop();
  rmSync(directory, { recursive: true });
}, 120_000);

/** Immediate mode: no checkpoint, nobody is told, the next start recovers from the log. */
async function stopHard(): Promise<void> {
  const [pid] = readFileSync(join(postgres.dataDirectory, "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGQUIT");
  await postgres.lost;
  await postgres.stop();
}

test("Postgres stopped hard in mid-run and started again: nothing acknowledged is lost, and the engine goes on by itself", async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const prepared = await prepareDatabase({ url: postgres.url, appVersion: "test" });
  const relay = await startRelay(prepared.appUrl);
  ends.push(() => relay.close());
  await seedWorkload(relay.url);
  const { engine, end } = await openNode(relay.url, { dispatchLeaseMs: 3_000, onFailure: () => undefined });
  ends.push(end);

  const agents = emptyLog();
  const scripted: ScriptedAgent[] = [];
  for (const instanceId of ["builder-1", "builder-2"]) {
    const agent = await startAgent({
      engine: (): Engine => engine,
      asked: askedBy("agent"),
      packId,
      instanceId,
      work: async (envelope) => {
        agents.handed.push({ envelope, instanceId });
        await pause(random.between(0, 20));
        return resultFor(envelope);
      },
      onReport: ({ execution }, refusal) => {
        const dispatchId = execution?.dispatchId ?? "";
        if (refusal === undefined) agents.taken.push(dispatchId);
        else agents.refused.push({ dispatchId, code: refusal.code, detail: refusal.detail });
      },
    });
    scripted.push(agent);
    ends.push(() => agent.stop());
  }

  const submissions = emptySubmissions();
  let allowed = 0;
  let asked = 0;
  async function submit(): Promise<void> {
    while (asked < PIPELINES) {
      if (asked >= allowed) {
        await pause(5);
        continue;
      }
      asked += 1;
      const taskId = `task-${asked}`;
      const wanted = submission(random.pick(["line", "diamond"]), taskId);
      await submitUntilKnown(submissions, taskId, () => submitTask(engine, askedBy("operator"), wanted));
    }
  }
  const submitting = Promise.all(Array.from({ length: 8 }, submit));
  submitting.catch(() => undefined);

  try {
    for (let stop = 1; stop <= STOPS; stop += 1) {
      const before = agents.taken.length;
      allowed = Math.ceil((PIPELINES * stop) / (STOPS + 1));
      await waitUntil(() => agents.taken.length > before + 10);
      await pause(random.between(0, 200));
      await stopHard();
      postgres = await startEmbeddedPostgres({ directory, durable: true });
      relay.moveTo(postgres.url);
    }
    allowed = PIPELINES;
    await submitting;
    await waitUntilAllOver(postgres.url, 60_000);
    for (const agent of scripted) await agent.stop();

    expect(await findRunFaults(postgres.url, agents, submissions)).toEqual([]);
    expect(submissions.acknowledged).toHaveLength(PIPELINES);
  } catch (error) {
    throw new Error(`with SIGNALBOX_TEST_SEED=${seed}`, { cause: error });
  }
}, 240_000);
