import { setTimeout as pause } from "node:timers/promises";
import { SignalboxError } from "@signalbox/contracts";
import { createTestDatabase, type TestDatabase } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../testing/wait-until.ts";
import { findRunFaults, waitUntilAllOver } from "./testing/check-run.ts";
import { emptySubmissions, submitUntilKnown } from "./testing/submissions.ts";
import { startPerson } from "./testing/person.ts";
import { emptyLog, startRemoteAgent } from "./testing/remote-agent.ts";
import { type RemoteEngine, type StandBy, standBy } from "./testing/remote-engine.ts";
import { chooseSeed, seededRandom } from "./testing/seeded-random.ts";
import { packId, scriptedWork, seedWorkload, submissionJson, templateIds } from "./testing/workload.ts";

const PIPELINES = 500;
const KILLS = 15;
const AGENTS = 4;
/** From when the process, its code loaded, is told to begin: to open the engine, and to hand out the next work. */
const RESUMES_WITHIN_MS = 5_000;

let made: TestDatabase;
let engine: RemoteEngine | undefined;
let next: StandBy;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  made = await createTestDatabase();
  next = standBy();
  await seedWorkload(made.appUrl);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end().catch(() => undefined);
  await engine?.kill();
  await next.kill();
  engine = undefined;
  await made.dispose();
});

test("an engine killed at random moments loses nothing, doubles nothing, and works on when it comes back", async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const agents = emptyLog();
  const submissions = emptySubmissions();
  const failures: string[] = [];
  const start = async (): Promise<void> => {
    engine = await next.start({ url: made.appUrl, nodeId: "killed", dispatchLeaseMs: 2_000 });
    next = standBy();
  };
  const kill = async (): Promise<void> => {
    const killed = engine;
    engine = undefined;
    await killed?.kill();
    failures.push(...(killed?.failures ?? []));
  };

  /** How many may have been asked for by now: each life of the engine gets its share of new work. */
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
      const json = submissionJson(random.pick(templateIds), taskId);
      await submitUntilKnown(submissions, taskId, async () => {
        if (engine === undefined) throw new SignalboxError("UNAVAILABLE", "No engine lives.");
        return engine.ask("submit", "operator", json);
      });
    }
  }
  for (let index = 1; index <= AGENTS; index += 1) {
    const agent = startRemoteAgent({
      engines: () => (engine === undefined ? [] : [engine]),
      packId,
      instanceId: `builder-${index}`,
      work: (envelope) => scriptedWork(random, envelope),
      log: agents,
    });
    ends.push(() => agent.stop());
  }
  const person = startPerson(made.url, () => engine, random);
  ends.push(() => person.stop());
  const submitting = Promise.all(Array.from({ length: 10 }, submit));

  try {
    for (let life = 1; life <= KILLS; life += 1) {
      const before = agents.handed.length;
      allowed = Math.ceil((PIPELINES * life) / (KILLS + 1));
      await next.loaded;
      await Promise.all([start(), waitUntil(() => agents.handed.length > before, RESUMES_WITHIN_MS)]);
      await pause(random.between(0, 600));
      await kill();
    }
    await start();
    allowed = PIPELINES;
    await submitting;
    await waitUntilAllOver(made.url, 90_000);
    await Promise.all(ends.splice(0).map((end) => end()));
    await kill();

    expect(await findRunFaults(made.url, agents, submissions)).toEqual([]);
    expect(submissions.acknowledged).toHaveLength(PIPELINES);
    expect(person.answered).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  } catch (error) {
    throw new Error(`with SIGNALBOX_TEST_SEED=${seed}`, { cause: error });
  }
}, 300_000);
