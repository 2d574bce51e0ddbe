import { SignalboxError, type TaskEnvelope } from "@signalbox/contracts";
import type { Attempt } from "./client.ts";
import { wait } from "./wait.ts";

/** A dispatch that is this instance's as long as its lease lasts. */
export type HeldDispatch = Attempt & {
  readonly envelope: TaskEnvelope;
  /** Aborted as soon as the work is for nothing. */
  readonly stop: AbortController;
  /** When the lease ends without another renewal, on the steady clock. */
  until: number;
  /** Its result is on its way: the work is over, and the server counts it until it has the result. */
  reporting: boolean;
};

/** What is at hand, and who is to hear when that changes. */
export function createHeldDispatches() {
  const held = new Map<string, HeldDispatch>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return {
    size: () => held.size,
    /** What is at work. A heartbeat that named more could come after the result, and be taken for somebody else's task. */
    atWork: () => [...held.values()].filter(({ reporting }) => !reporting).length,
    /** Without what was stopped: that is nobody's to renew, and only its room is taken still. */
    wanted: () => [...held.values()].filter(({ stop }) => !stop.signal.aborted),
    /** Undefined where it is at hand already: an envelope that came twice is worked on once. */
    take(envelope: TaskEnvelope, until: number): HeldDispatch | undefined {
      const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
      if (held.has(dispatchId)) return undefined;
      const dispatch = {
        dispatchId,
        attemptNumber,
        envelope,
        stop: new AbortController(),
        until,
        reporting: false,
      };
      held.set(dispatchId, dispatch);
      changed();
      return dispatch;
    },
    release({ dispatchId }: HeldDispatch): void {
      held.delete(dispatchId);
      changed();
    },
    /** The work on these is for nothing from now on. */
    stop(dispatchIds: Iterable<string>, why: string): void {
      for (const dispatchId of dispatchIds) {
        const dispatch = held.get(dispatchId);
        if (dispatch === undefined || dispatch.stop.signal.aborted) continue;
        dispatch.stop.abort(new SignalboxError("STALE_DISPATCH", `Dispatch ${dispatchId} ${why}.`));
      }
    },
    /** Over once something was taken or released, or after so long. */
    async nextChange(withinMs: number, signal: AbortSignal): Promise<void> {
      const over = new AbortController();
      const end = () => over.abort();
      listeners.add(end);
      signal.addEventListener("abort", end, { once: true });
      if (!signal.aborted) await wait(withinMs, over.signal);
      listeners.delete(end);
      signal.removeEventListener("abort", end);
    },
    /** Whoever waits looks again. */
    wake: changed,
  };
}

export type HeldDispatches = ReturnType<typeof createHeldDispatches>;
