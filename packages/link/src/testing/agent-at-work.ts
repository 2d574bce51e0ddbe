import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { type Engine, renewDispatch, reportResult } from "@signalbox/engine";
import { askedBy } from "@signalbox/engine/testing";
import { type EnvelopeJson, type Work, workOn } from "./scripted-work.ts";

/** What an agent in this process does with an envelope, however it came. */
export type AtWork = {
  readonly title: string;
  readonly work: Work;
  readonly result: AgentResult;
  /** Resolves when it has something to say; rejects when it was told to stop. */
  readonly said: Promise<void>;
};

export type AgentAtWork = {
  readonly stopped: Set<string>;
  begin(envelope: TaskEnvelope): AtWork;
  /** False where there was nothing to stop. */
  tellToStop(dispatchId: string): boolean;
};

export function createAgentAtWork(): AgentAtWork {
  const stopped = new Set<string>();
  const stops = new Map<string, () => void>();
  return {
    stopped,
    begin(envelope) {
      const json = toJson(TaskEnvelopeSchema, envelope);
      const work = workOn(envelopeOf(json));
      const title = envelope.contract?.title ?? "";
      const { promise: said, resolve, reject } = Promise.withResolvers<void>();
      if (work.ending === "wait") stopped.add(`at work on ${title}`);
      else if (work.ending !== "answer-when-told") setTimeout(resolve, work.afterMs);
      stops.set(envelope.execution?.dispatchId ?? "", () => {
        stopped.add(title);
        if (work.ending === "answer-when-told") resolve();
        else reject(new Error("told to stop"));
      });
      said.catch(() => undefined);
      return { title, work, result: fromJson(AgentResultSchema, work.result as JsonValue), said };
    },
    tellToStop(dispatchId) {
      const stop = stops.get(dispatchId);
      stops.delete(dispatchId);
      stop?.();
      return stop !== undefined;
    },
  };
}

const envelopeOf = (json: unknown): EnvelopeJson => json as EnvelopeJson;

/** What an agent calls by itself, as it would over REST. */
export function callsOf(engine: Engine, instanceId: string) {
  const asked = askedBy("agent", "default", instanceId);
  return {
    asked,
    /** As often as it likes, and whatever it is answered. */
    report: async (result: AgentResult, times = 1): Promise<void> => {
      for (let time = 0; time < times; time += 1)
        await reportResult(engine, asked, result.dispatchId, result).catch(() => undefined);
    },
    renewing: (dispatchId: string): (() => void) => {
      const timer = setInterval(
        () => void renewDispatch(engine, asked, dispatchId).catch(() => undefined),
        300,
      );
      return () => clearInterval(timer);
    },
  };
}

/** Works on what it has taken, and reports and renews by itself. */
export async function workAlone(
  engine: Engine,
  instanceId: string,
  { work, result, said }: AtWork,
): Promise<void> {
  if (work.ending === "die") return;
  const { report, renewing } = callsOf(engine, instanceId);
  const stopRenewing = renewing(result.dispatchId);
  try {
    await said;
    await report(result, work.ending === "answer-twice" ? 2 : 1);
  } catch {
    // Told to stop: it reports nothing.
  } finally {
    stopRenewing();
  }
}
