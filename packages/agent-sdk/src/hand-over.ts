import { SignalboxError } from "@signalbox/contracts";
import type { Running } from "./agent.ts";
import type { HandoffOutcome, HandoffWish } from "./client.ts";
import type { HeldDispatch } from "./held-dispatches.ts";
import { retrying } from "./retrying.ts";

/** Asks until somebody answers. Approved, the work is another's from then on: its signal is aborted, and nothing is reported. */
export async function handOver(
  { client, over, trouble }: Pick<Running, "client" | "over" | "trouble">,
  { dispatchId, stop }: HeldDispatch,
  wish: HandoffWish,
): Promise<HandoffOutcome> {
  stop.signal.throwIfAborted();
  const once = crypto.randomUUID();
  const signal = AbortSignal.any([over, stop.signal]);
  const outcome = await retrying(() => client.requestHandoff(dispatchId, wish, once, signal), {
    signal,
    mostFaults: 5,
    onRetry: (error) => trouble(error, `asking for a handoff of ${dispatchId}`),
  });
  if (outcome.approved)
    stop.abort(
      new SignalboxError("STALE_DISPATCH", `Dispatch ${dispatchId} was handed on: ${outcome.reason}.`),
    );
  return outcome;
}
