import { durationMs } from "@bufbuild/protobuf/wkt";
import { SignalboxError, type TaskEnvelope } from "@signalbox/contracts";
import type { HandoffOutcome, HandoffWish } from "./client.ts";
import type { HeldDispatch } from "./held-dispatches.ts";
import type { Progress } from "./progress.ts";

/** One attempt at a stage, as the agent's work sees it. */
export type Dispatch = Progress & {
  readonly dispatchId: string;
  readonly attemptNumber: number;
  readonly taskType: string;
  /** All that was said about the work. */
  readonly envelope: TaskEnvelope;
  /** Aborted when the dispatch was cancelled, its lease or its time is over, or the agent must stop. */
  readonly signal: AbortSignal;
  /**
   * Asks that another go on (D24). Approved, `signal` is aborted and the work's answer is not waited for; refused, the work
   * goes on.
   */
  readonly handOff: (wish: HandoffWish) => Promise<HandoffOutcome>;
};

export const dispatchOf = (
  { dispatchId, attemptNumber, envelope, stop }: HeldDispatch,
  { think, pulse, tool, commit, turn }: Progress,
  handOff: Dispatch["handOff"],
): Dispatch => ({
  handOff,
  think,
  pulse,
  tool,
  commit,
  turn,
  dispatchId,
  attemptNumber,
  taskType: envelope.routing?.taskType ?? "",
  envelope,
  signal: stop.signal,
});

/** Stops the work when the envelope's time for it is over, by this process's steady clock. Gives what ends the watch. */
export function watchTimeout({ dispatchId, envelope, stop }: HeldDispatch): () => void {
  const timeout = envelope.execution?.timeout;
  if (timeout === undefined) return () => undefined;
  const ms = Math.min(durationMs(timeout), 2 ** 31 - 1);
  const timer = setTimeout(
    () =>
      stop.abort(new SignalboxError("DEADLINE_EXCEEDED", `Dispatch ${dispatchId} took more than ${ms} ms.`)),
    ms,
  );
  return () => clearTimeout(timer);
}
