import { setTimeout as pause } from "node:timers/promises";
import { fromJson, toJson } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  SignalboxError,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import type { Answer, CommandName, Input } from "./commands.ts";
import type { RemoteEngine } from "./remote-engine.ts";

export type RemoteAgentScript = {
  /** Those that there are; it asks the first, and the next one when that does not answer. */
  readonly engines: () => readonly RemoteEngine[];
  readonly packId: string;
  readonly instanceId: string;
  /** What it reports, and after how long; nothing when it dies over it. */
  readonly work: (
    envelope: TaskEnvelope,
  ) => { readonly result: AgentResult; readonly afterMs: number } | undefined;
  readonly log: AgentLog;
};

/** What agents saw, against which the record is held afterwards. */
export type AgentLog = {
  readonly handed: { readonly envelope: TaskEnvelope; readonly instanceId: string }[];
  /** Dispatches whose result the engine said that it had taken. */
  readonly taken: string[];
  /** What reports were refused with. */
  readonly refused: { readonly dispatchId: string; readonly code: string; readonly detail: string }[];
};

export const emptyLog = (): AgentLog => ({ handed: [], taken: [], refused: [] });

const ANSWER_WITHIN_MS = 4_000;
const WAIT_MS = 1_000;
const RENEW_EVERY_MS = 500;
const BEAT_EVERY_MS = 1_000;
const HEARTBEAT_LEASE = "30s";

/** An agent that outlives engines: it heartbeats, leases, works, renews and reports to whichever answers. */
export function startRemoteAgent(script: RemoteAgentScript): { stop(): Promise<void> } {
  const { packId, instanceId, log } = script;
  const stopping = new AbortController();
  let turn = 0;
  const reports = new Set<Promise<void>>();

  /** Until an engine says something that it means. */
  async function ask<C extends CommandName>(command: C, input: Input<C>): Promise<Answer<C> | undefined> {
    while (!stopping.signal.aborted) {
      const engines = script.engines();
      const engine = engines[turn % Math.max(1, engines.length)];
      try {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        if (engine !== undefined) return await engine.ask(command, "agent", input, signal);
      } catch (error) {
        if (!(error instanceof SignalboxError) || error.code !== "UNAVAILABLE") throw error;
        turn += 1;
      }
      await pause(20);
    }
    return undefined;
  }

  async function carryOut(envelope: TaskEnvelope): Promise<void> {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    log.handed.push({ envelope, instanceId });
    const work = script.work(envelope);
    if (work === undefined) return;
    const end = Date.now() + work.afterMs;
    try {
      for (let left = work.afterMs; left > 0; left = end - Date.now()) {
        await pause(Math.min(left, RENEW_EVERY_MS));
        if (left > RENEW_EVERY_MS) await ask("renew", dispatchId);
      }
      const result = toJson(AgentResultSchema, work.result);
      if ((await ask("report", { dispatchId, result })) !== undefined) log.taken.push(dispatchId);
    } catch (error) {
      if (!(error instanceof SignalboxError)) throw error;
      log.refused.push({ dispatchId, code: error.code, detail: error.detail });
    }
  }

  async function lease(): Promise<void> {
    while (!stopping.signal.aborted) {
      const leased = await ask("lease", { packId, instanceId, maxTasks: 20, waitMs: WAIT_MS });
      for (const json of leased?.envelopes ?? []) {
        const report = carryOut(fromJson(TaskEnvelopeSchema, json)).finally(() => reports.delete(report));
        reports.add(report);
      }
    }
  }

  async function beat(): Promise<void> {
    const health = { status: "HEALTH_STATUS_HEALTHY" };
    while (!stopping.signal.aborted) {
      await ask("beat", {
        packId,
        instanceId,
        health,
        capacity: { maxTasks: 200 },
        leaseTtl: HEARTBEAT_LEASE,
      });
      await pause(BEAT_EVERY_MS);
    }
  }

  const running = Promise.all([lease(), beat()]);
  // A fault in it is the test's to see, when it stops the agent.
  running.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(reports);
    },
  };
}
