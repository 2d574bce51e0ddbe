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

/** An event on its way in. */
export type ArrivingEvent = {
  readonly event: Event;
  /** Its place in its report. */
  readonly index: number;
};

type HeldEvent = { readonly event: Event; readonly sequence: number };

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
  /** Of what was said; null where that is what is kept. */
  readonly fingerprint: string | null;
  readonly event: JsonObject;
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
  let { received } = stream;
  const held = [...stream.held];
  for (const { event, index } of arriving) {
    const sequence = event.sequence ?? nextSequence(received);
    if (holdsSequence(received, sequence)) throw taken(index, sequence);
    received = withSequence(received, sequence);
    if (gapsIn(received) > MOST_GAPS) throw missing(index, received, `${MOST_GAPS} gaps are too many`);
    if (isStreamed(event)) held.push({ event, sequence });
    else kept.push(keep({ event, sequence }, maskEvent(redactor, event).value, fingerprintOf));
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
    const judged = judgeInOrder(redactors, { thought, pulse }, one.event);
    ({ thought, pulse } = judged);
    kept.push(keep(one, judged.value, fingerprintOf));
  }
  return { stream: { received, thought, pulse, held: waiting }, kept };
}

type Streams = { readonly redactor: Redactor; readonly stream: StreamRedactor };
type Texts = Pick<TurnStream, "thought" | "pulse">;

const isStreamed = ({ payload: { type } }: Event): boolean =>
  type === "THOUGHT_STREAM" || type === "SANDBOX_PULSE";

/** Stands for the text while the rest of the event is masked: a policy that masks the whole field shows by it. */
const PROBE = "text";

/** The value is the event itself where what is given out is what was said. */
function judgeInOrder(
  { redactor, stream }: Streams,
  texts: Texts,
  event: Event,
): Texts & { readonly value: JsonObject } {
  const { payload } = event;
  if (payload.type === "THOUGHT_STREAM") {
    const probe = { ...event, payload: { ...payload, chunk: PROBE } };
    const around = maskEvent(redactor, probe).value;
    const step = stream.push(texts.thought, payload.chunk, payload.is_final);
    const masked = step.rules.length > 0;
    const value =
      around === probe && !masked && step.text === payload.chunk
        ? event
        : withText(around, "chunk", step.text, masked ? { masked } : {});
    return { ...texts, thought: step.state, value };
  }
  if (payload.type !== "SANDBOX_PULSE") throw new TypeError(`${payload.type} is judged when it comes`);
  const probe = { ...event, payload: { ...payload, line: PROBE } };
  const around = maskEvent(redactor, probe).value;
  const { state, text, masked } = stream.pushLine(texts.pulse, payload.line);
  const value =
    around === probe && !masked && text === payload.line
      ? event
      : withText(around, "line", text, { masked: payload.masked || masked });
  return { ...texts, pulse: state, value };
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

const keep = ({ event, sequence }: HeldEvent, value: JsonObject, fingerprintOf: Fingerprint): KeptEvent => ({
  eventId: event.event_id,
  sequence,
  type: event.payload.type,
  fingerprint: value === event ? null : fingerprintOf(event),
  event: value,
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
