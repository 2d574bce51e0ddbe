import { type ErrorCode, SignalboxError } from "@signalbox/contracts";
import { RefusedAnswer } from "./request.ts";
import { wait } from "./wait.ts";

export type Patience = {
  /** Ends the tries; the error of the last one is thrown. */
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((error: SignalboxError, waitMs: number) => void) | undefined;
  /** How often a fault inside Signalbox is met: this very request may bring it about each time. */
  readonly mostFaults?: number;
};

/** What passes by itself is tried again for as long as it takes. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "UNAVAILABLE",
  "REDACTION_UNAVAILABLE",
  "RATE_LIMITED",
  "DEADLINE_EXCEEDED",
]);
const firstMs = 250;
const longestMs = 15_000;
/** A wait beyond it would be a fault of whoever asked: an agent that stays away for longer is taken for lost. */
const longestAskedMs = 60_000;

export const mayPass = (error: SignalboxError): boolean =>
  passing.has(error.code) || error.code === "INTERNAL";

/**
 * Only for what may be said twice: a manifest, a heartbeat, a request for work, a renewal, a report. Each is answered the
 * second time as the first (D6), so that not to know whether it arrived does no harm.
 */
export async function retrying<T>(
  run: () => Promise<T>,
  { signal, onRetry, mostFaults = Number.POSITIVE_INFINITY }: Patience = {},
): Promise<T> {
  let faults = 0;
  for (let tried = 0; ; tried += 1) {
    try {
      return await run();
    } catch (thrown) {
      if (!(thrown instanceof SignalboxError) || isOver(signal) || !mayPass(thrown)) throw thrown;
      if (thrown.code === "INTERNAL") faults += 1;
      if (faults >= mostFaults) throw thrown;
      const waitMs = waitFor(thrown, tried);
      onRetry?.(thrown, waitMs);
      await wait(waitMs, signal);
      if (isOver(signal)) throw thrown;
    }
  }
}

const isOver = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

/** Half of it is chance: agents that lost the same server must not come back as one. */
export function backoffMs(tried: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(tried, 16));
  return full / 2 + (Math.random() * full) / 2;
}

/** As long as was asked, and what chance adds: all who were refused together were told the same time. */
function waitFor({ cause }: SignalboxError, tried: number): number {
  const asked = cause instanceof RefusedAnswer ? Math.min(cause.retryAfterMs ?? 0, longestAskedMs) : 0;
  const backoff = backoffMs(tried);
  return asked === 0 ? backoff : Math.max(asked + backoffMs(0), backoff);
}
