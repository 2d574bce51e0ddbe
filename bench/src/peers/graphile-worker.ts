import { EventEmitter } from "node:events";
import {
  Logger,
  makeWorkerUtils,
  run,
  type Runner,
  type RunnerOptions,
  type WorkerEvents,
} from "graphile-worker";
import { asSuperuser } from "../durable-postgres.ts";
import { apart } from "../measure/apart.ts";
import { type Arrivals, measureStartLatency } from "../measure/arrivals.ts";
import { createMeter, type Span } from "../measure/meter.ts";

type Settings = {
  url: string;
  concurrency: number;
  /** Jobs are fetched and completed in batches: faster, and no longer durable one by one. */
  batched: boolean;
};
type Throughput = Settings & { jobs: number; span: Span };

const logger = new Logger(() => () => {});
const JOB = "empty";

async function migrate(url: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  await utils.release();
}

function start(
  { url, concurrency, batched }: Settings,
  events: WorkerEvents,
  task: (payload: unknown) => Promise<void>,
): Promise<Runner> {
  const batches: RunnerOptions["preset"] = {
    worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
  };
  return run({
    connectionString: url,
    concurrency,
    noHandleSignals: true,
    logger,
    events,
    taskList: { [JOB]: task },
    ...(batched ? { preset: batches } : {}),
  });
}

export const graphileWorker = apart(import.meta.url, {
  /** Jobs that lie ready, done by an empty handler. */
  async throughput({ jobs, span, ...settings }: Throughput) {
    await migrate(settings.url);
    await asSuperuser(settings.url, async (sql) => {
      await sql`
        select count(*) from graphile_worker.add_jobs(array(
          select (${JOB}, '{}'::json, null, now(), 25, null, 0::smallint, null)::graphile_worker.job_spec
          from generate_series(1, ${jobs})
        ))`;
      // Without statistics it would read the whole queue for each job until autovacuum comes by.
      await sql`vacuum analyze`;
    });
    const meter = createMeter(span);
    const events: WorkerEvents = new EventEmitter();
    let done = 0;
    events.on("job:complete", () => {
      meter.count();
      done += 1;
      if (done === jobs) meter.drained();
    });
    const runner = await start(settings, events, () => Promise.resolve());
    const perSecond = await meter.perSecond;
    await runner.stop();
    return { perSecond };
  },

  async startLatency({ arrivals, ...settings }: Settings & { arrivals: Arrivals }) {
    await migrate(settings.url);
    return measureStartLatency(arrivals, async (started) => {
      const runner = await start(settings, new EventEmitter(), (payload) => {
        started((payload as { id: string }).id);
        return Promise.resolve();
      });
      let asked = 0;
      return {
        ask: async () => {
          asked += 1;
          const id = String(asked);
          await runner.addJob(JOB, { id });
          return id;
        },
        stop: () => runner.stop(),
      };
    });
  },
});
