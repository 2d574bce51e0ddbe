import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toJsonString } from "@bufbuild/protobuf";
import { createApp, noLimits } from "@signalbox/api";
import {
  AgentHeartbeatSchema,
  type AgentResult,
  AgentResultSchema,
  HealthStatus,
  LeaseRequestSchema,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { ensureTenant, insertKey, prepareDatabase, startEmbeddedPostgres } from "@signalbox/db";
import { heartbeat, renewAndLease, reportResult, submitTask } from "@signalbox/engine";
import { askedBy, openNode, prepare, resultFor } from "@signalbox/engine/testing";
import { createLog } from "../src/log.ts";
import { createOnePort } from "../src/one-port.ts";
import type { Listed } from "./rest-senders.ts";

/**
 * Results over REST beside the same results given to the same engine in the process, durable and in the same run: 64 agents,
 * each waiting for its answer, whose dispatches are at work already.
 */
const AGENTS = 64;
const RESULTS = 2_560;
const ROUNDS = 6;
/** What is measured has been at work for this long (ADR 0016). */
const WARM_UP_MS = 10_000;
const packId = "builder";
const key = "a-key-for-the-bench-that-is-long-enough";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await startEmbeddedPostgres({ directory });
const { appUrl } = await prepareDatabase({ url: postgres.url, appVersion: "bench" });
const { engine, end } = await openNode(appUrl, { onFailure: (error) => console.error(error) });
await engine.database.inTenant("default", async (tx) => {
  await ensureTenant(tx, { name: "default" });
  const hash = createHash("sha256").update(key).digest();
  await insertKey(tx, { hash, prefix: key.slice(0, 6), label: "bench", role: "admin", createdBy: "bench" });
});
const app = await createApp({
  system: engine,
  log: createLog({ level: "error" }, { write: (line) => process.stderr.write(line) }),
  limits: noLimits,
  serverFactory: (handler) => createOnePort(handler).server,
});
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
const agent = askedBy("agent");
const senders = fork(join(import.meta.dirname, "rest-senders.ts"));

/** Dispatches that an agent has, with what it is going to report of each. */
async function atWork(): Promise<AgentResult[]> {
  const instance = { packId, instanceId: "builder-1" };
  const said = {
    ...instance,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: 10_000 },
    leaseTtl: { seconds: 600n },
  };
  await heartbeat(engine, agent, create(AgentHeartbeatSchema, said));
  const contract = { taskId: "T-1", title: "Build", acceptanceCriteria: ["it builds"] };
  const submission = create(TaskSubmissionSchema, { work: { case: "taskType", value: "build" }, contract });
  await Promise.all(Array.from({ length: RESULTS }, () => submitTask(engine, askedBy("admin"), submission)));
  const results: AgentResult[] = [];
  while (results.length < RESULTS) {
    const wanted = create(LeaseRequestSchema, { ...instance, maxTasks: 100, waitSeconds: 5 });
    const { envelopes } = await renewAndLease(engine, agent, wanted, new AbortController().signal);
    for (const envelope of envelopes) results.push(resultFor(envelope));
  }
  return results;
}

async function inProcess(results: AgentResult[]): Promise<number> {
  const waiting = [...results];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        await reportResult(engine, agent, next.dispatchId, next);
    }),
  );
  return results.length / ((performance.now() - begun) / 1_000);
}

function overRest(results: readonly AgentResult[]): Promise<number> {
  const requests = results.map((result) => ({
    path: `/v1/dispatches/${encodeURIComponent(result.dispatchId)}/result`,
    body: toJsonString(AgentResultSchema, result),
  }));
  return new Promise((resolve, reject) => {
    senders.once("message", (told: { perSecond: number } | { failure: string }) => {
      if ("failure" in told) reject(new Error(told.failure));
      else resolve(told.perSecond);
    });
    senders.send({ origin, headers, atOnce: AGENTS, requests } satisfies Listed);
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

try {
  await prepare(engine);
  for (const subject of [overRest, inProcess]) {
    const warm = performance.now() + WARM_UP_MS;
    while (performance.now() < warm) await subject(await atWork());
  }
  const rest: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rest.push(await overRest(await atWork()));
    own.push(await inProcess(await atWork()));
  }
  const ratio = median(rest) / median(own);
  console.log(
    `results: ${median(rest).toFixed(0)}/s over REST, ${median(own).toFixed(0)}/s in the process, ratio ${ratio.toFixed(2)} (at least 0.7)`,
  );
} finally {
  senders.kill();
  await app.close();
  await end();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
