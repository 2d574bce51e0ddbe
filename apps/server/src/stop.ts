import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { OnePort } from "./one-port.ts";

const finishWithinMs = 10_000;
const sweepEveryMs = 100;
/**
 * Before the port closes: a request that is on its way over a connection that looks idle is answered with 503 and
 * `connection: close`, where it would else meet a reset and its sender could not know whether it was carried out.
 */
const defaultAnswerRefusalsMs = 250;

/** What serves requests, and is drained before anything that requests need is closed. */
type Serving = { drain: () => void; close: () => Promise<void>; listener: OnePort };

export type Stop = {
  /** What was started last is closed first. What may take a while is told when somebody hurries. */
  add(name: string, close: (hurry: AbortSignal) => unknown): void;
  serve(serving: Serving): void;
  /** Stops in order, once. Requests in flight finish within bounds, or not at all when `hurry` says so. */
  stop(hurry: AbortSignal): Promise<void>;
};

export function createStop(log: Logger, answerRefusalsMs = defaultAnswerRefusalsMs): Stop {
  const started: { name: string; close: (hurry: AbortSignal) => unknown }[] = [];
  let serving: Serving | undefined;
  let stopped: Promise<void> | undefined;

  const stopInOrder = async (hurry: AbortSignal) => {
    if (serving !== undefined) await drain(serving, { hurry, log, answerRefusalsMs });
    for (const { name, close } of started.toReversed()) {
      try {
        await close(hurry);
      } catch (err) {
        // The others must still be closed, or a database would be left running.
        log.error({ err }, `${name} did not close`);
      }
    }
  };
  return {
    add: (name, close) => started.push({ name, close }),
    serve: (what) => (serving = what),
    stop: (hurry) => (stopped ??= stopInOrder(hurry)),
  };
}

/** Not ready from now on; what was begun is finished; then whoever is left is cut. */
async function drain(
  { drain: tell, close, listener }: Serving,
  { hurry, log, answerRefusalsMs }: { hurry: AbortSignal; log: Logger; answerRefusalsMs: number },
): Promise<void> {
  tell();
  if (!hurry.aborted) await pause(answerRefusalsMs, undefined, { signal: hurry }).catch(() => undefined);
  listener.drain();
  const cut = (why: string) => () => {
    log.warn(why);
    listener.destroyConnections();
  };
  const timer = setTimeout(cut("requests did not finish in time and are cut"), finishWithinMs);
  const onHurry = cut("hurried: requests in flight are cut");
  // A connection that was busy when closing began is idle once its request is answered, and would be kept alive.
  const sweep = setInterval(() => listener.server.closeIdleConnections(), sweepEveryMs);
  hurry.addEventListener("abort", onHurry);
  try {
    const closed = close();
    if (hurry.aborted) onHurry();
    await closed;
  } finally {
    clearTimeout(timer);
    clearInterval(sweep);
    hurry.removeEventListener("abort", onHurry);
  }
}
