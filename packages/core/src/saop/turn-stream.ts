import { SignalboxError } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import type { Redactor } from "../redaction/redactor.ts";
import { createStreamRedactor, type StreamRedactor, type StreamState } from "../redaction/stream-redactor.ts";
import { MOST_GAPS, MOST_HELD_CHARACTERS, MOST_HELD_EVENTS } from "./limits.ts";
import { type Around, maskAround } from "./around-text.ts";
import { type JsonObject, maskEvent } from "./mask-report.ts";
import {
  firstMissing,
  gapsIn,
  holdsSequence,
  nextSequence,
  type SequenceRanges,
  withNext,
  withSequence,
} from "./sequence-ranges.ts";

/** An event on its way in. */
export type ArrivingEvent = {
  readonly event: Event;
  /** Its place in its report. */
  readonly index: number;
  /** Its JSON as it was sent, where that is known and printing would give the same (`parseJsonAndTexts`). */
  readonly text?: string | undefined;
};

type HeldEvent = { readonly event: Event; readonly sequence: number };
type DueEvent = HeldEvent & Pick<ArrivingEvent, "text">;

/**
 * What is known of a turn's events between two reports. It may hold raw text that may yet prove to be part of a secret: it
 * is stored sealed unless it `saysNothing`, and never shown.
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
  /** Of what was said; null where that is what is kept. */
  readonly fingerprint: string | null;
  readonly event: JsonObject;
  /** The event's JSON, where it is known. */
  readonly text: string | undefined;
};

/** Tells an event from another under its id, and is nothing to this room. */
type Fingerprint = (said: Event) => string;

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
  arriving: readonly ArrivingEvent[],
  fingerprintOf: Fingerprint,
): { readonly stream: TurnStream; readonly kept: readonly KeptEvent[] } {
  const redactors: Streams = { redactor, stream: createStreamRedactor(redactor) };
  const kept: KeptEvent[] = [];
  const { received, placed } = placesOf(stream.received, arriving);
  const held: DueEvent[] = [...stream.held];
  for (const one of placed) {
    if (isStreamed(one.event)) held.push(one);
    else kept.push(keep(one, maskEvent(redactor, one.event).value, fingerprintOf));
  }
  held.sort((one, other) => one.sequence - other.sequence);
  const firstToCome = firstMissing(received);
  const due = held.filter(({ sequence }) => sequence < firstToCome);
  const waiting = held.slice(due.length).map(({ event, sequence }) => ({ event, sequence }));
  const last = arriving.at(-1)?.index ?? 0;
  if (waiting.length > MOST_HELD_EVENTS)
    throw missing(last, received, `more than ${MOST_HELD_EVENTS} events wait for it`);
  if (charactersOf(waiting) > MOST_HELD_CHARACTERS)
    throw missing(last, received, `more than ${MOST_HELD_CHARACTERS} characters wait for it`);
  const plain = judgeLinesTogether(redactors, stream.pulse, due);
  let { thought } = stream;
  let pulse = plain ?? stream.pulse;
  for (const one of due) {
    if (plain !== undefined && isPulse(one.event)) {
      kept.push(keep(one, one.event, fingerprintOf));
      continue;
    }
    const judged = judgeInOrder(redactors, { thought, pulse }, one.event);
    ({ thought, pulse } = judged);
    kept.push(keep(one, judged.value, fingerprintOf));
  }
  return { stream: { received, thought, pulse, held: waiting }, kept };
}

/** The events in their places, and all places that are taken with them. */
function placesOf(
  before: SequenceRanges,
  arriving: readonly ArrivingEvent[],
): { readonly received: SequenceRanges; readonly placed: readonly DueEvent[] } {
  // Most name none, and stand one behind the other.
  if (arriving.every(({ event }) => event.sequence === undefined)) {
    const first = nextSequence(before);
    const placed = arriving.map(({ event, text }, place) => ({ event, sequence: first + place, text }));
    return { received: withNext(before, arriving.length), placed };
  }
  let received = before;
  const placed = arriving.map(({ event, index, text }) => {
    const sequence = event.sequence ?? nextSequence(received);
    if (holdsSequence(received, sequence)) throw taken(index, sequence);
    received = withSequence(received, sequence);
    if (gapsIn(received) > MOST_GAPS) throw missing(index, received, `${MOST_GAPS} gaps are too many`);
    return { event, sequence, text };
  });
  return { received, placed };
}

type Streams = { readonly redactor: Redactor; readonly stream: StreamRedactor };
type Texts = Pick<TurnStream, "thought" | "pulse">;

const isStreamed = ({ payload: { type } }: Event): boolean =>
  type === "THOUGHT_STREAM" || type === "SANDBOX_PULSE";

const isPulse = ({ payload }: Event): boolean => payload.type === "SANDBOX_PULSE";

/**
 * The state behind all lines, where nothing is masked in them or around them (ADR 0082); undefined where each has to be judged by
 * itself.
 */
function judgeLinesTogether(
  { redactor, stream }: Streams,
  state: StreamState,
  due: readonly DueEvent[],
): StreamState | undefined {
  const lines: string[] = [];
  for (const { event } of due) if (event.payload.type === "SANDBOX_PULSE") lines.push(event.payload.line);
  if (lines.length < 2) return undefined;
  const isPlain = due.every(({ event }) => !isPulse(event) || maskAround(redactor, event, PULSE).isAsSaid);
  return isPlain ? stream.pushPlainLines(state, lines) : undefined;
}

/** The value is the event itself where what is given out is what was said. */
function judgeInOrder(
  { redactor, stream }: Streams,
  texts: Texts,
  event: Event,
): Texts & { readonly value: JsonObject } {
  const { payload } = event;
  if (payload.type === "THOUGHT_STREAM") {
    const around = maskAround(redactor, event, THOUGHT);
    const { state, text, rules } = stream.push(texts.thought, payload.chunk, payload.is_final);
    const isAsSaid = around.isAsSaid && rules.length === 0 && text === payload.chunk;
    const set = { ...(rules.length > 0 ? { masked: true } : {}), chunk: text };
    return { ...texts, thought: state, value: isAsSaid ? event : withText(around, set) };
  }
  if (payload.type !== "SANDBOX_PULSE") throw new TypeError(`${payload.type} is judged when it comes`);
  const around = maskAround(redactor, event, PULSE);
  const { state, text, masked } = stream.pushLine(texts.pulse, payload.line);
  const isAsSaid = around.isAsSaid && !masked && text === payload.line;
  const set = { masked: payload.masked || masked, line: text };
  return { ...texts, pulse: state, value: isAsSaid ? event : withText(around, set) };
}

const THOUGHT = { type: "THOUGHT_STREAM", field: "chunk" } as const;
const PULSE = { type: "SANDBOX_PULSE", field: "line" } as const;

const withText = ({ value, masksText }: Around, set: JsonObject): JsonObject => ({
  ...value,
  payload: { ...Object(value["payload"]), ...(masksText ? { masked: true } : set) },
});

const keep = (
  { event, sequence, text }: DueEvent,
  value: JsonObject,
  fingerprintOf: Fingerprint,
): KeptEvent => ({
  eventId: event.event_id,
  sequence,
  type: event.payload.type,
  fingerprint: value === event ? null : fingerprintOf(event),
  event: value,
  text: value === event ? text : undefined,
});

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
