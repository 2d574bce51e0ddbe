import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { AgentHeartbeatSchema, HealthStatus, PipelineStatus, RiskTier } from "@signalbox/contracts";
import { abortPipeline, type Engine, heartbeat } from "@signalbox/engine";
import {
  askedBy,
  factsOf,
  openTestEngine,
  policyText,
  prepare,
  submitTemplate,
  template,
  stateOf,
} from "@signalbox/engine/testing";
import { normalised } from "./normalised.ts";
import { until } from "./until.ts";
import type { Way } from "./way.ts";

export const titles = [
  "plain",
  "retry",
  "cancel",
  "lost",
  "slow",
  "late",
  "double",
  "invalid",
  "oversize",
] as const;
type Title = (typeof titles)[number];

export type Played = {
  /** By title, what is on record of it in the order of its revisions. */
  readonly record: Readonly<Record<Title, readonly unknown[]>>;
  readonly stopped: ReadonlySet<string>;
};

const agent = { packId: "builder", instanceId: "builder-1" };
/** Long enough for a busy machine to renew it in time. */
const LEASE_MS = 10_000;
const twice = {
  handoff_policy: {
    retry: { max_attempts: 3, initial_backoff: "10ms", backoff_multiplier: 1, max_backoff: "10ms" },
  },
};

/** Every scenario at once, each a pipeline of its own, on one Postgres and one agent. */
export async function play(way: Way): Promise<Played> {
  const adapters = new Map(way.adapter && [[way.adapter.transport, way.adapter.adapter]]);
  const opened = await openTestEngine({ dispatchLeaseMs: LEASE_MS, takeWithinMs: 10_000, adapters });
  const { engine } = opened;
  await prepare(engine, {
    policy: policyText({ build: ["builder"], check: ["builder"] }),
    templates: [
      template("two", [
        { id: "a", taskType: "build", extra: twice },
        { id: "b", taskType: "check", after: ["a"], extra: twice },
      ]),
    ],
  });
  const started = await way.start(engine, agent);
  const beat = async (): Promise<void> => {
    const answer = await heartbeat(
      engine,
      askedBy("agent", "default", agent.instanceId),
      said(way, started.address),
    );
    started.hear?.(answer.cancelDispatchIds);
  };
  await beat();
  const beating = setInterval(() => void beat().catch(() => undefined), 500);
  try {
    const played = await Promise.all(
      titles.map(async (title) => [title, await playOne(engine, title, started.stopped)]),
    );
    return { record: Object.fromEntries(played), stopped: started.stopped };
  } finally {
    clearInterval(beating);
    await started.stop();
    await opened.end();
    await way.adapter?.adapter.close();
  }
}

const said = (way: Way, address: string) =>
  create(AgentHeartbeatSchema, {
    ...agent,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: 50 },
    leaseTtl: { seconds: 60n },
    ...(way.adapter && { endpoint: { transport: way.adapter.transport, address } }),
  });

async function playOne(
  engine: Engine,
  title: Title,
  stopped: ReadonlySet<string>,
): Promise<readonly unknown[]> {
  const execution = {
    riskTier: RiskTier.LOW,
    ...(title === "late" && { timeout: durationFromMs(8_000) }),
  };
  const contract = { taskId: `t-${title}`, title, acceptanceCriteria: ["it works"] };
  const pipelineId = await submitTemplate(engine, "two", { contract, execution });
  try {
    await untilPlayed(engine, title, pipelineId, stopped);
  } catch (cause) {
    const actions = (await factsOf(engine, { pipelineId })).map(({ action }) => action);
    throw new Error(`${title} did not end, after ${actions.join(", ")}`, { cause });
  }
  return normalised(await factsOf(engine, { pipelineId }), pipelineId);
}

async function untilPlayed(
  engine: Engine,
  title: Title,
  pipelineId: string,
  stopped: ReadonlySet<string>,
): Promise<void> {
  if (title === "cancel") {
    await until(() => stopped.has("at work on cancel"));
    await abortPipeline(engine, askedBy("operator"), { pipelineId });
    await until(() => stopped.has("cancel"));
    return;
  }
  await until(async () => (await stateOf(engine, pipelineId)).status === PipelineStatus.COMPLETED);
  // What comes too late has no place among the revisions: it is waited for by its name.
  if (title === "late")
    await until(async () =>
      (await factsOf(engine, { pipelineId })).some(({ action }) => action === "result.stale"),
    );
}
