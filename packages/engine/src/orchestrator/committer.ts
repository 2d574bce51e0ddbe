import { DatabaseError } from "@signalbox/db";
import { SignalboxError } from "@signalbox/contracts";
import { mayWait } from "@signalbox/core";
import { isDatabaseAway, isLeaseLost } from "../transaction.ts";
import { type BatchOutcome } from "./batch.ts";
import { keyText } from "./draft.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";
import type { Outcome, Work } from "./work.ts";

export type Committer = {
  /** Resolves with the work's answer once it has committed. */
  commit<T>(work: Work<T>): Promise<T>;
  /** The same for a sweep; undefined when somebody else was at work on its pipeline. */
  sweep<T>(work: Work<T>): Promise<T | undefined>;
  /** The same, one after the other in the order in which they are asked for: stages of one line keep it. */
  sweepInOrder<T>(work: Work<T>): Promise<T | undefined>;
  /** Takes nothing more, and resolves when all that was taken is answered. */
  drain(): Promise<void>;
};

export type CommitterOptions = {
  readonly lanes: number;
  readonly largestBatch: number;
  /** Of all that wait, and of one tenant's as much as is left: a queue without end only delays the refusal. */
  readonly longestQueue: number;
  readonly run: (works: readonly Work[]) => Promise<BatchOutcome>;
  readonly onWanted: (wanted: BatchOutcome["wanted"]) => void;
  readonly onAway: (error: unknown) => void;
};

type Waiting = {
  readonly work: Work;
  readonly answer: (outcome: Outcome<unknown> | undefined) => void;
  readonly reject: (error: unknown) => void;
};

type Way = "commands" | "sweeps";

type Lane = { readonly commands: FairQueue<Waiting>; readonly sweeps: FairQueue<Waiting>; busy: boolean };

const openLane = (): Lane => ({ commands: createFairQueue(), sweeps: createFairQueue(), busy: false });

/**
 * Gathers what arrives together into batches. A pipeline always goes through the same lane, so that two batches of one
 * process never wait for each other's lock; lanes commit side by side.
 */
export function createCommitter(options: CommitterOptions): Committer {
  const { lanes: count, largestBatch, longestQueue, run } = options;
  const lanes = Array.from({ length: count }, openLane);
  // Only sweeps go through it: they pass over a pipeline that its own lane is working on, and wait for none.
  const orderly = openLane();
  let closed = false;
  let waiting = 0;
  const waitingOf = new Map<string, number>();
  let idle: (() => void) | undefined;

  const own = ({ key }: Work): Lane | undefined => lanes[laneOf(keyText(key), count)];

  function ask<T>(work: Work<T>, way: Way, lane = own(work)): Promise<T | undefined> {
    if (closed || lane === undefined) return Promise.reject(unavailable("This node is stopping."));
    const { tenantId } = work.key;
    const before = waitingOf.get(tenantId) ?? 0;
    if (!mayWait({ own: before, all: waiting, most: longestQueue })) {
      return Promise.reject(unavailable(`${before} requests of yours wait already. Try again in a moment.`));
    }
    waiting += 1;
    waitingOf.set(tenantId, before + 1);
    return new Promise((resolve, reject) => {
      const answer = (outcome: Outcome<unknown> | undefined): void => {
        if (outcome === undefined) resolve(undefined);
        else if (!outcome.ok) reject(outcome.error);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the queue gives each work back its own outcome
        else resolve(outcome.value as T);
      };
      lane[way].push(tenantId, { work, answer, reject });
      void drive(lane);
    });
  }

  /** Called for each that was answered. */
  function leave({ work }: Waiting): void {
    const { tenantId } = work.key;
    waiting -= 1;
    const left = (waitingOf.get(tenantId) ?? 1) - 1;
    if (left === 0) waitingOf.delete(tenantId);
    else waitingOf.set(tenantId, left);
    if (waiting === 0) idle?.();
  }

  async function drive(lane: Lane): Promise<void> {
    if (lane.busy) return;
    lane.busy = true;
    // What arrives in the same turn of the event loop belongs to the same batch.
    await Promise.resolve();
    let sweepsNext = false;
    while (lane.commands.size + lane.sweeps.size > 0) {
      const queue: FairQueue<Waiting> =
        (sweepsNext && lane.sweeps.size > 0) || lane.commands.size === 0 ? lane.sweeps : lane.commands;
      sweepsNext = queue === lane.commands;
      await runTogether(queue.take(largestBatch));
    }
    lane.busy = false;
  }

  async function runTogether(batch: readonly Waiting[]): Promise<void> {
    const [only] = batch;
    const ran = await tryAgain(() => run(batch.map(({ work }) => work)));
    if (ran.ok) {
      for (const [index, one] of batch.entries()) {
        one.answer(ran.value.outcomes[index]);
        leave(one);
      }
      options.onWanted(ran.value.wanted);
    } else if (isAway(ran.error)) {
      options.onAway(ran.error);
      for (const one of batch) refuse(one, unavailable(AWAY, ran.error));
    } else if (only !== undefined && batch.length === 1) {
      refuse(only, ran.error);
    } else {
      // One of them breaks the batch: alone, it breaks nobody else's.
      for (const one of batch) await runTogether([one]);
    }
  }

  function refuse(one: Waiting, error: unknown): void {
    one.reject(error);
    leave(one);
  }

  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a sweep has no outcome
    commit: <T>(work: Work<T>) => ask(work, "commands") as Promise<T>,
    sweep: (work) => ask(work, "sweeps"),
    sweepInOrder: (work) => ask(work, "sweeps", orderly),
    async drain() {
      closed = true;
      if (waiting > 0) await new Promise<void>((resolve) => (idle = resolve));
    },
  };
}

type Ran<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

async function tryAgain<T>(work: () => Promise<T>): Promise<Ran<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      if (attempt >= triesWorth(error)) return { ok: false, error };
    }
  }
}

const AWAY = "The database does not answer. Try again in a moment.";

const unavailable = (detail: string, cause?: unknown) =>
  new SignalboxError("UNAVAILABLE", detail, cause === undefined ? {} : { cause });

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * Postgres chose it to end a deadlock, it waited too long for a lock, or others came before it: nothing of it was kept. Who
 * is overtaken waited for nobody, and each time somebody else got on.
 */
function triesWorth(error: unknown): number {
  if (error instanceof DatabaseError && error.fault === "OVERTAKEN") return 50;
  return ["40P01", "40001", "55P03"].includes(codeOf(error)) ? 5 : 1;
}

const isAway = (error: unknown): boolean => isDatabaseAway(error) || isLeaseLost(error);

/** FNV-1a: which lane a pipeline goes through, the same for as long as this process lives. */
function laneOf(text: string, lanes: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93) >>> 0;
  }
  return hash % lanes;
}
