import { setTimeout as pause } from "node:timers/promises";
import { SignalboxError } from "@signalbox/contracts";
import type { Escalation, Resolution } from "@signalbox/core";
import { readRows } from "@signalbox/db/testing";
import type { Random } from "./seeded-random.ts";
import type { RemoteEngine } from "./remote-engine.ts";

export type Person = {
  /** How many questions were answered by this person's word. */
  readonly answered: number;
  stop(): Promise<void>;
};

/** Looks for open questions and answers each, until the engine says that it is answered. */
export function startPerson(url: string, engine: () => RemoteEngine | undefined, random: Random): Person {
  const stopping = new AbortController();
  let answered = 0;

  async function answer(escalationId: string, escalation: Escalation): Promise<void> {
    const resolution = resolutionOf(escalation, random);
    try {
      await engine()?.ask("resolve", "approver", {
        escalationId,
        resolution,
        comment: "decided by the test",
      });
      answered += 1;
    } catch (error) {
      if (!(error instanceof SignalboxError)) throw error;
      // What was answered before a kill is asked again until it is seen to be closed.
      if (!["UNAVAILABLE", "ALREADY_RESOLVED", "INVALID_STATE"].includes(error.code)) throw error;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const open = await readRows(
        url,
        "select pipeline_id || '-e' || number as id, escalation from signalbox.escalations where closed_at is null",
      );
      await Promise.all(
        open.map((row) => answer(String(row["id"]), JSON.parse(String(row["escalation"])) as Escalation)),
      );
      await pause(250);
    }
  }

  const running = run();
  running.catch(() => undefined);
  return {
    get answered() {
      return answered;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function resolutionOf({ options }: Escalation, random: Random): Resolution {
  if (options.includes("abort") && random.chance(0.05)) return { option: "abort" };
  if (options.includes("advance") && random.chance(0.5)) return { option: "advance" };
  if (options.includes("retry")) return { option: "retry", instructions: "once more" };
  return { option: "abort" };
}
