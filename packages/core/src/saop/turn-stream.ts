import { SignalboxError } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import { redactionFailed } from "../redaction/failure.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { createStreamRedactor, type StreamRedactor, type StreamState } from "../redaction/stream-redactor.ts";
import { MOST_GAPS, MOST_HELD_CHARACTERS, MOST_HELD_EVENTS } from "./limits.ts";
import { isObject, type JsonObject, maskEvent } from "./mask-report.ts";
import {
  firstMissing,
  gapsIn,
  holdsSequence,
  nextSequence,
  type SequenceRanges,
  withSequence,
} from "./sequence-ranges.ts";

/** An event on its way in. The fingerprint tells it from another under its id, and is nothing to this room. */
export type ArrivingEvent = { readonly event: Event; readonly fingerprint: string };

type HeldEvent = ArrivingEvent & { readonly sequence: number };

/**
 * What is known of a turn's events between two reports. It holds raw text that may yet prove to be part of a secret, so it
 * is stored sealed and never shown.
 */
export type TurnStream = {
  readonly received: SequenceRanges;
  readonly thought: StreamState;
  readonly pulse: StreamState;
  /** Chunks and lines whose predecessors have not all come, in their order. */
  readonly held: readonly HeldEvent[];
};

/** An event as it is kept: masked, and with its place. */
export type KeptEvent = {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: Event["payload"]["type"];
  readonly fingerprint: string;
  readonly event: JsonObject;
};

/** A turn's stream at its beginning. A key that is printed line by line may go on from one turn into the next. */
export function openTurnStream(redactor: Redactor, before?: TurnStream): TurnStream {
  const { start } = createStreamRedactor(redactor);
  return { received: [], thought: start, pulse: before?.pulse ?? start, held: [] };
}

/**
 * Takes a turn's events as they arrive, and gives those that may be kept now (SAOP-5 to SAOP-10). All of them are taken or
 * none: the stream that was given is not changed.
 */
export function takeEvents(
  redactor: Redactor,
  stream: TurnStream,
  arriving: readonly (ArrivingEvent & { readonly index: number })[],
): { readonly stream: TurnStream; readonly kept: readonly KeptEvent[] } {
  const redactors: Streams = { redactor, stream: createStreamRedactor(redactor) };
  const kept: KeptEvent[] = [];
  let { received } = stream;
  const held = [...stream.held];
  for (const { event, fingerprint, index } of arriving) {
    const sequence = event.sequence ?? nextSequence(received);
    if (holdsSequence(received, sequence)) throw taken(index, sequence);
    received = withSequence(received, sequence);
    if (gapsIn(received) > MOST_GAPS) throw missing(index, received, `${MOST_GAPS} gaps are too many`);
    if (isStreamed(event)) held.push({ event, fingerprint, sequence });
    else kept.push(judgeAlone(redactor, { event, fingerprint, sequence }));
  }
  held.sort((one, other) => one.sequence - other.sequence);
  const due = held.filter(({ sequence }) => sequence < firstMissing(received));
  const waiting = held.slice(due.length);
  const last = arriving.at(-1)?.index ?? 0;
  if (waiting.length > MOST_HELD_EVENTS)
    throw missing(last, received, `more than ${MOST_HELD_EVENTS} events wait for it`);
  if (charactersOf(waiting) > MOST_HELD_CHARACTERS)
    throw missing(last, received, `more than ${MOST_HELD_CHARACTERS} characters wait for it`);
  let { thought, pulse } = stream;
  for (const one of due) {
    const judged = judgeInOrder(redactors, { thought, pulse }, one);
    ({ thought, pulse } = judged);
    kept.push(judged.kept);
  }
  return { stream: { received, thought, pulse, held: waiting }, kept };
}

type Streams = { readonly redactor: Redactor; readonly stream: StreamRedactor };
type Texts = Pick<TurnStream, "thought" | "pulse">;

const isStreamed = ({ payload: { type } }: Event): boolean =>
  type === "THOUGHT_STREAM" || type === "SANDBOX_PULSE";

function judgeAlone(redactor: Redactor, { event, ...rest }: HeldEvent): KeptEvent {
  return keep(rest, event, maskEvent(redactor, event).value);
}

/** Stands for the text while the rest of the event is masked: a policy that masks the whole field shows by it. */
const PROBE = "text";

function judgeInOrder(
  { redactor, stream }: Streams,
  texts: Texts,
  { event, ...rest }: HeldEvent,
): Texts & { kept: KeptEvent } {
  const { payload } = event;
  if (payload.type === "THOUGHT_STREAM") {
    const around = maskEvent(redactor, { ...event, payload: { ...payload, chunk: PROBE } }).value;
    const step = stream.push(texts.thought, payload.chunk, payload.is_final);
    const masked = step.rules.length > 0 ? { masked: true } : {};
    const value = withText(around, "chunk", step.text, masked);
    return { ...texts, thought: step.state, kept: keep(rest, event, value) };
  }
  if (payload.type !== "SANDBOX_PULSE") throw new TypeError(`${payload.type} is judged when it comes`);
  const around = maskEvent(redactor, { ...event, payload: { ...payload, line: PROBE } }).value;
  const step = stream.pushLine(texts.pulse, payload.line);
  const value = withText(around, "line", step.text, { masked: payload.masked || step.masked });
  return { ...texts, pulse: step.state, kept: keep(rest, event, value) };
}

function withText(around: JsonObject, field: string, text: string, set: JsonObject): JsonObject {
  const { payload } = around;
  if (!isObject(payload)) throw redactionFailed("The policy masks an event's payload, so it cannot be kept");
  const wholly = payload[field] !== PROBE;
  return {
    ...around,
    payload: { ...payload, ...(wholly ? { masked: true } : { ...set, [field]: text }) },
  };
}

function keep(
  { sequence, fingerprint }: Omit<HeldEvent, "event">,
  { event_id: eventId, payload: { type } }: Event,
  value: JsonObject,
): KeptEvent {
  return { eventId, sequence, type, fingerprint, event: value };
}

const charactersOf = (held: readonly HeldEvent[]): number =>
  held.reduce((total, { event }) => total + JSON.stringify(event).length, 0);

const refused = (detail: string, index: number, rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", detail, {
    violations: [{ field: `[${index}].sequence`, rule, message }],
  });

const taken = (index: number, sequence: number) =>
  refused(
    "An event's place is taken.",
    index,
    "unique",
    `${sequence} is another event's of this turn; a sequence counts a turn's events from 0`,
  );

const missing = (index: number, received: SequenceRanges, why: string) =>
  refused(
    "Too much waits for an event that has not come.",
    index,
    "no_gap",
    `sequence ${firstMissing(received)} of this turn has not come, and ${why}; a sequence counts a turn's events from 0 without a gap`,
  );
