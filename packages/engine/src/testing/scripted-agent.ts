import { create } from "@bufbuild/protobuf";
import {
  AgentHeartbeatSchema,
  type AgentResult,
  HealthStatus,
  SignalboxError,
  type TaskEnvelope,
} from "@signalbox/contracts";
import type { Engine } from "../engine.ts";
import { leaseTasks } from "../orchestrator/lease-tasks.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import { heartbeat } from "../registry/heartbeat.ts";
import type { Asked } from "../system.ts";
import { resultFor } from "./results.ts";

export type AgentScript = {
  readonly engine: () => Engine;
  readonly asked: Asked;
  readonly packId: string;
  readonly instanceId: string;
  readonly maxTasks?: number;
  /** What it reports; nothing when it dies over it. */
  readonly work?: (envelope: TaskEnvelope) => AgentResult | undefined | Promise<AgentResult | undefined>;
  /** Answers to its reports, and what it was refused. */
  readonly onReport?: (envelope: TaskEnvelope, refusal: SignalboxError | undefined) => void;
};

export type ScriptedAgent = { stop(): Promise<void> };

/** An agent in this process that takes work as long as it lives: heartbeats, leases, works, reports. */
export async function startAgent(script: AgentScript): Promise<ScriptedAgent> {
  const { engine, asked, packId, instanceId, maxTasks = 50 } = script;
  const stopping = new AbortController();
  const work = script.work ?? ((envelope: TaskEnvelope) => resultFor(envelope));
  await beat(script);
  const beating = setInterval(() => void beat(script).catch(ignoreAway), 5_000);

  async function report(envelope: TaskEnvelope): Promise<void> {
    const result = await work(envelope);
    if (result === undefined) return;
    for (;;) {
      try {
        await reportResult(engine(), asked, envelope.execution?.dispatchId ?? "", result);
        script.onReport?.(envelope, undefined);
        return;
      } catch (error) {
        if (!(error instanceof SignalboxError)) throw error;
        if (error.code !== "UNAVAILABLE") {
          script.onReport?.(envelope, error);
          return;
        }
        // Whether it was taken is not known: the same again is answered as the first time.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async function run(): Promise<void> {
    const reports = new Set<Promise<void>>();
    while (!stopping.signal.aborted) {
      try {
        const { envelopes } = await leaseTasks(
          engine(),
          asked,
          { packId, instanceId, maxTasks, waitMs: 2_000 },
          stopping.signal,
        );
        for (const envelope of envelopes) {
          const reported = report(envelope).finally(() => reports.delete(reported));
          reports.add(reported);
        }
      } catch (error) {
        ignoreAway(error);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    await Promise.all(reports);
  }

  const running = run();
  return {
    async stop() {
      clearInterval(beating);
      stopping.abort();
      await running;
    },
  };
}

function beat({ engine, asked, packId, instanceId, maxTasks = 50 }: AgentScript) {
  return heartbeat(
    engine(),
    asked,
    create(AgentHeartbeatSchema, {
      packId,
      instanceId,
      health: { status: HealthStatus.HEALTHY },
      capacity: { maxTasks },
      leaseTtl: { seconds: 60n, nanos: 0 },
    }),
  );
}

function ignoreAway(error: unknown): void {
  if (!(error instanceof SignalboxError) || error.code !== "UNAVAILABLE") throw error;
}
