import { setTimeout as pause } from "node:timers/promises";
import { SignalboxError } from "@signalbox/contracts";
import { createTestDatabase, readRows, type TestDatabase } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../testing/wait-until.ts";
import { findRunFaults, waitUntilAllOver } from "./testing/check-run.ts";
import { startPerson } from "./testing/person.ts";
import { emptyLog, startRemoteAgent } from "./testing/remote-agent.ts";
import { type RemoteEngine, type StandBy, standBy } from "./testing/remote-engine.ts";
import { chooseSeed, seededRandom } from "./testing/seeded-random.ts";
import { noteStaleCommits, staleCommits } from "./testing/stale-commits.ts";
import { emptySubmissions, submitUntilKnown } from "./testing/submissions.ts";
import { packId, scriptedWork, seedWorkload, submissionJson, templateIds } from "./testing/workload.ts";

/** Renewed every two seconds; with six of it left nothing is committed any more (signalbox.assert_node). */
const NODE_LEASE_MS = 12_000;

let made: TestDatabase;
let processes: StandBy[];
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  made = await createTestDatabase();
  processes = [standBy(), standBy()];
  await seedWorkload(made.appUrl);
  await noteStaleCommits(made.url);
}, 60_000);
afterEach(async () => {
  for (const end of ends.splice(0)) await end().catch(() => undefined);
  for (const one of processes) await one.kill();
  await made.dispose();
}, 60_000);

const isTrue = async (condition: string): Promise<boolean> => {
  const [row] = await readRows(made.url, `select ${condition} as so`);
  return row?.["so"] === true;
};
const look = (condition: string) => async (): Promise<boolean> => {
  await pause(50);
  return isTrue(condition);
};

/** A lock that a transaction of nobody's holds for a while; shorter than anybody waits for one. */
const hold = (lock: string, ms: number) =>
  readRows(made.url, `do $$ begin ${lock}; perform pg_sleep(${ms / 1000}); end $$`);

/** What of an engine that is frozen waits at the server for the COMMIT that does not come. */
const TRANSACTION_OPEN = `exists (select 1 from pg_stat_activity where datname = current_database()
  and state = 'idle in transaction' and now() - state_change > interval '1 second')`;
const HELD = `exists (select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep')`;
const WAITS_FOR_TASKS = `exists (select 1 from pg_locks where not granted and relation = 'signalbox.tasks'::regclass
  and database = (select oid from pg_database where datname = current_database()))`;

const answerOf = async (engine: RemoteEngine, taskId: string): Promise<string> => {
  try {
    await engine.ask("submit", "operator", submissionJson("line", taskId));
    return "done";
  } catch (error) {
    if (!(error instanceof SignalboxError)) return String(error);
    return error.code === "INTERNAL" ? `INTERNAL: ${error.detail}` : error.code;
  }
};

test("an engine frozen past its lease commits nothing more; the other finishes what waits; thawed, it joins anew", async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const agents = emptyLog();
  const submissions = emptySubmissions();
  const open = (nodeId: string, process: StandBy | undefined) => {
    if (process === undefined) throw new Error("there is no such process");
    return process.start({
      url: made.appUrl,
      nodeId,
      nodeLeaseMs: NODE_LEASE_MS,
      dispatchLeaseMs: 4_000,
    });
  };
  const frozen = await open("frozen", processes[0]);
  const other = await open("other", processes[1]);

  async function submit(engine: RemoteEngine, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const taskId = `task-${submissions.tries.size + 1}`;
      const json = submissionJson(random.pick(templateIds), taskId);
      await submitUntilKnown(submissions, taskId, () => engine.ask("submit", "operator", json));
    }
  }
  const isLeaseOver = look(
    "(select lease_expires_at < clock_timestamp() from signalbox.nodes where node_id = 'frozen')",
  );
  const epochOf = async () => (await frozen.ask("about", "operator", undefined)).epoch;
  let epoch = await epochOf();
  const joinedAnew = async () => {
    const known = epoch;
    epoch = await epochOf();
    return epoch > known;
  };

  for (const [index, engines] of [[frozen, other], [frozen, other], [other]].entries()) {
    const agent = startRemoteAgent({
      engines: () => engines,
      packId,
      instanceId: `builder-${index}`,
      work: (envelope) => scriptedWork(random, envelope),
      log: agents,
    });
    ends.push(() => agent.stop());
  }
  const person = startPerson(made.url, () => other, random);
  ends.push(() => person.stop());

  try {
    await Promise.all([submit(frozen, 40), submit(other, 40)]);

    // Once with transactions open for certain: they wait for a lock in their midst, and get it while the engine is frozen.
    const tasksHeld = hold("lock table signalbox.tasks in exclusive mode", 1_500);
    await waitUntil(look(HELD));
    const begun = Array.from({ length: 8 }, (_, index) => answerOf(frozen, `pending-${index}`));
    await waitUntil(look(WAITS_FOR_TASKS));
    frozen.freeze();
    await tasksHeld;
    await waitUntil(look(TRANSACTION_OPEN));
    const arrived = Array.from({ length: 8 }, (_, index) => answerOf(frozen, `pending-${8 + index}`));
    await submit(other, 20);
    await waitUntil(isLeaseOver);
    // It cannot join anew at once: all that it does now, it does without a lease.
    const nodeHeld = hold("perform 1 from signalbox.nodes where node_id = 'frozen' for update", 3_000);
    await waitUntil(look(HELD));
    frozen.thaw();
    expect(new Set(await Promise.all([...begun, ...arrived]))).toEqual(new Set(["UNAVAILABLE"]));
    await nodeHeld;
    await waitUntil(joinedAnew);
    const kept = await readRows(
      made.url,
      "select 1 from signalbox.pipelines where source_task_id like 'pending-%'",
    );
    expect(kept).toEqual([]);

    // And twice at whatever it happens to be doing.
    for (let freeze = 0; freeze < 2; freeze += 1) {
      await Promise.all([submit(frozen, 20), submit(other, 20)]);
      const busy = Promise.allSettled([submit(frozen, 5), submit(frozen, 5), submit(frozen, 5)]);
      await pause(random.between(0, 40));
      frozen.freeze();
      await submit(other, 20);
      await waitUntil(isLeaseOver);
      await waitUntilAllOver(made.url, 30_000);
      frozen.thaw();
      await busy;
      await waitUntil(joinedAnew);
    }
    await submit(frozen, 10);
    await waitUntilAllOver(made.url, 60_000);
    await Promise.all(ends.splice(0).map((end) => end()));

    expect(await findRunFaults(made.url, agents, submissions)).toEqual([]);
    expect(await staleCommits(made.url)).toEqual([]);
    expect(other.failures).toEqual([]);
  } catch (error) {
    throw new Error(`with SIGNALBOX_TEST_SEED=${seed}`, { cause: error });
  }
}, 240_000);
