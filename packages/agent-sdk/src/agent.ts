import { HealthStatus, SignalboxError } from "@signalbox/contracts";
import { type AgentSettings, type Timing, usualTiming } from "./agent-settings.ts";
import { type Client, createClient, type InstanceName } from "./client.ts";
import { createHeldDispatches, type HeldDispatches } from "./held-dispatches.ts";
import { beat, heartbeatOf, keepBeating, keepLeasing, keepRenewing } from "./loops.ts";
import { createRecentWork } from "./recent-work.ts";
import { retrying } from "./retrying.ts";
import { wait } from "./wait.ts";

export type Agent = {
  readonly instanceId: string;
  /** Takes no more, finishes what is at hand or hands it back, and leaves the registry. */
  drain(): Promise<void>;
  /** Settles when the agent has stopped; rejects with what made it stop, such as a key that was revoked. */
  readonly done: Promise<void>;
};

/** What the loops of one agent share. */
export type Running = {
  readonly settings: AgentSettings;
  readonly timing: Timing;
  readonly client: Client;
  readonly instance: InstanceName;
  readonly capacity: number;
  readonly held: HeldDispatches;
  readonly recentWork: ReturnType<typeof createRecentWork>;
  /** No more work is taken. */
  readonly noMore: AbortSignal;
  /** Nothing is asked any more. */
  readonly over: AbortSignal;
  takesMore(): boolean;
  /** Signalbox itself may want the instance to take no more, for a while. */
  setTold(toDrain: boolean): void;
  /** What is called off from now on is handed back and not dropped. */
  isHandingBack(): boolean;
  underWay(work: Promise<void>): void;
  readonly trouble: (error: SignalboxError, doing: string) => void;
};

/** How long work that was called off may take to notice. */
const handBackMs = 5_000;

/** Registers the pack and says that the instance is there; from then on it works until it is drained. */
export async function startAgent(settings: AgentSettings): Promise<Agent> {
  const { pack, capacity = 1, instanceId = `${pack.packId}-${crypto.randomUUID().slice(0, 8)}` } = settings;
  if (!Number.isInteger(capacity) || capacity < 1)
    throw new RangeError(`capacity: ${capacity}; a whole number from 1 on is allowed`);
  const held = createHeldDispatches();
  const [noMore, over] = [new AbortController(), new AbortController()];
  const works = new Set<Promise<void>>();
  let [toldToDrain, handingBack] = [false, false];
  const running: Running = {
    settings,
    timing: { ...usualTiming, ...settings.timing },
    client: createClient(settings),
    instance: { packId: pack.packId, instanceId },
    capacity,
    held,
    recentWork: createRecentWork(),
    noMore: noMore.signal,
    over: over.signal,
    takesMore: () => !toldToDrain && !noMore.signal.aborted,
    setTold: (toDrain) => {
      if (toldToDrain === toDrain) return;
      toldToDrain = toDrain;
      held.wake();
    },
    isHandingBack: () => handingBack,
    underWay: (work) => {
      const ended = work.finally(() => works.delete(ended));
      works.add(ended);
    },
    trouble: (error, doing) => {
      try {
        settings.onTrouble?.(error, doing);
      } catch {
        // Who only listens must not fail the work, nor end the agent.
      }
    },
  };

  const { signal } = settings;
  await retrying(() => running.client.registerPack(pack, signal), {
    signal,
    onRetry: (error) => running.trouble(error, "registering the pack"),
  });
  await beat(running);

  const callOff = (why: string) => {
    for (const { stop } of held.wanted()) stop.abort(new SignalboxError("UNAVAILABLE", why));
  };
  const takeNoMore = () => {
    noMore.abort();
    held.wake();
  };

  async function finish(): Promise<void> {
    takeNoMore();
    // Without room for more nothing else is sent here, and what would be sent goes to others.
    await running.client.heartbeat(heartbeatOf(running), over.signal).catch(() => undefined);
    const drained = Promise.all(works);
    await within(drained, running.timing.drainWithinMs);
    handingBack = true;
    callOff("The agent had to stop.");
    await within(drained, handBackMs);
    over.abort();
    await leave(running);
  }
  let finishing: Promise<void> | undefined;
  const drain = () => (finishing ??= finish());

  const loops = Promise.all([keepBeating(running), keepLeasing(running), keepRenewing(running)]);
  // One loop that cannot go on ends them all: an agent that only half works is worse than none.
  const failed = loops.then(
    () => undefined,
    (reason: unknown) => {
      takeNoMore();
      callOff("The agent cannot go on.");
      over.abort();
      throw reason;
    },
  );
  const done = failed.then(() => drain());
  done.catch(() => undefined);
  signal?.addEventListener("abort", () => void drain(), { once: true });
  if (signal?.aborted === true) void drain();
  return { instanceId, drain, done };
}

/** So long at most; no timer is left, which would keep the process that has nothing else to do. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([work, wait(milliseconds, over.signal)]);
  } finally {
    over.abort();
  }
}

/** The last word: the registry need not wait for the heartbeat's lease to end. Whether it is heard does not matter. */
async function leave(running: Running): Promise<void> {
  const last = {
    ...heartbeatOf(running),
    health: { status: HealthStatus.UNHEALTHY },
    leaseTtl: { seconds: 1n, nanos: 0 },
  };
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), 2_000);
  await running.client.heartbeat(last, tooLate.signal).catch(() => undefined);
  clearTimeout(timer);
}
