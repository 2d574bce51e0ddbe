import { PgBoss } from "pg-boss";
import { asSuperuser } from "../durable-postgres.ts";
import { apart } from "../measure/apart.ts";
import { createMeter, type Span } from "../measure/meter.ts";

type Settings = { url: string; jobs: number; batch: number; concurrency: number; span: Span };

const QUEUE = "empty";
const INSERTED_AT_ONCE = 1000;

export const pgBoss = apart(import.meta.url, {
  /** Jobs that lie ready, fetched and completed in batches, without the pause that its own workers make between two. */
  async throughput({ url, jobs, batch, concurrency, span }: Settings) {
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
    boss.on("error", (error) => console.error(error));
    await boss.start();
    await boss.createQueue(QUEUE);
    for (let inserted = 0; inserted < jobs; inserted += INSERTED_AT_ONCE) {
      await boss.insert(
        QUEUE,
        Array.from({ length: INSERTED_AT_ONCE }, () => ({ data: {} })),
      );
    }
    // Without statistics it would read the whole queue for each batch until autovacuum comes by.
    await asSuperuser(url, (sql) => sql`vacuum analyze`);
    const meter = createMeter(span);
    const worker = async () => {
      while (!meter.over()) {
        const fetched = await boss.fetch(QUEUE, { batchSize: batch });
        if (fetched.length === 0) break;
        await boss.complete(
          QUEUE,
          fetched.map(({ id }) => id),
        );
        for (const _ of fetched) meter.count();
      }
    };
    const workers = Promise.all(Array.from({ length: concurrency }, worker)).then(() => meter.drained());
    const [perSecond] = await Promise.all([meter.perSecond, workers]);
    await boss.stop({ graceful: false });
    return { perSecond };
  },
});
