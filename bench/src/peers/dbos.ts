import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { apart } from "../measure/apart.ts";
import { keepBusy, type Span } from "../measure/meter.ts";
import { percentile } from "../measure/statistics.ts";

type Settings = { url: string; concurrency: number; span: Span };

const STEPS = ["first", "second", "third"];
const QUEUE = "workflows";

/** Whoever waits for a workflow in this process: asking the database when it is over would slow the peer down. */
const waiting = new Map<string, () => void>();

const threeSteps = DBOS.registerWorkflow(
  async () => {
    for (const name of STEPS) await DBOS.runStep(() => Promise.resolve(name), { name });
    waiting.get(DBOS.workflowID ?? "")?.();
  },
  { name: "three-steps" },
);

async function launch(url: string): Promise<void> {
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: url, systemDatabasePoolSize: 20, logLevel: "error" });
  await DBOS.launch();
}

export const dbos = apart(import.meta.url, {
  /** Workflows that the caller runs itself. */
  async direct({ url, concurrency, span }: Settings) {
    await launch(url);
    const { perSecond, milliseconds } = await keepBusy(concurrency, span, () => threeSteps());
    await DBOS.shutdown();
    return { perSecond, p50: percentile(milliseconds, 0.5), p99: percentile(milliseconds, 0.99) };
  },

  /** Workflows that wait in a durable queue, as ours do. */
  async queued({ url, concurrency, span }: Settings) {
    await launch(url);
    await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: 20 });
    const { perSecond } = await keepBusy(concurrency, span, async () => {
      const workflowID = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(workflowID, resolve);
      await DBOS.startWorkflow(threeSteps, { queueName: QUEUE, workflowID })();
      await promise;
      waiting.delete(workflowID);
    });
    await DBOS.shutdown();
    return { perSecond };
  },
});
