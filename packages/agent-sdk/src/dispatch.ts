import { durationMs } from "@bufbuild/protobuf/wkt";
import { SignalboxError, type TaskEnvelope } from "@signalbox/contracts";
import type { AttachmentReference, Attachments, NamedAttachment } from "./attachments.ts";
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
  /** Keeps bytes that the answer names: what it gives goes into the answer's data. */
  readonly attach: (
    content: Uint8Array,
    said: { readonly name: string; readonly mediaType?: string },
  ) => Promise<AttachmentReference>;
  /** The bytes of an attachment that the envelope names, held against what the reference says of them. */
  readonly attached: (named: NamedAttachment) => Promise<Uint8Array>;
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
  client: Attachments,
): Dispatch => ({
  handOff,
  attach: (content, said) => client.keepAttachment(content, said, stop.signal),
  attached: (named) => client.readAttachment(dispatchId, named, stop.signal),
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
