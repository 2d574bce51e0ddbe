import { type JsonAndTexts, SignalboxError } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import {
  type ArrivingEvent,
  type KeptEvent,
  openTurnStream,
  type Redactor,
  takeEvents,
  type TurnStream,
} from "@signalbox/core";
import type {
  DispatchKey,
  NewTraceReport,
  NewTraceRun,
  ReportedDispatch,
  Seal,
  TurnKey,
} from "@signalbox/db";
import type { EventIds } from "./event-ids.ts";
import { dispatchText, keyOf, type Report } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";
import { runsOf } from "./runs-of.ts";
import type { SealedStreams } from "./sealed-streams.ts";
import { areSame, fingerprintOf, isSameEvent, type KnownEvent } from "./same-event.ts";

export type EventReport = Report & {
  readonly events: readonly Event[];
  readonly texts: Texts;
  /** As `dispatchText` names it, and the events' ids in small letters: both are asked for more than once. */
  readonly attempt: string;
  readonly ids: readonly string[];
};

/** Of each event its JSON, from `parseJsonAndTexts`. It is kept where masking finds nothing in the event: it has to be that event's. */
export type Texts = JsonAndTexts["texts"];

export const eventReport = (report: Report, events: readonly Event[], texts?: Texts): EventReport => ({
  ...report,
  events,
  texts,
  attempt: dispatchText(keyOf(report)),
  ids: events.map(idOf),
});

/** A report that may be taken, with the turn of each of its events. */
export type Placed = {
  readonly report: EventReport;
  readonly dispatch: ReportedDispatch;
  readonly redactor: Redactor;
  readonly turns: readonly number[];
};

/** What a transaction knows, and what it is going to write. */
export type Desk = {
  readonly seal: Seal;
  readonly streams: SealedStreams;
  /** By turn, as they were when they were locked. */
  readonly sealed: ReadonlyMap<string, Uint8Array | null>;
  readonly attempts: Map<string, Attempt>;
  readonly reports: NewTraceReport[];
};

/** One that is reported on. */
export type Attempt = {
  readonly key: DispatchKey;
  /** By turn, as they are now. */
  readonly streams: Map<number, TurnStream>;
  /** Events that are kept or taken, by their id in small letters: of those that were kept before, the ones that were asked for. */
  readonly known: Map<string, KnownEvent>;
  /** Of the events that were kept before. */
  readonly ids: EventIds;
  /** Another process wrote some of them since this one did. */
  readonly shared: boolean;
  readonly fresh: NewTraceRun[];
};

export const turnText = (key: TurnKey): string => `${dispatchText(key)}/${key.turnIndex}`;
export const idOf = ({ event_id }: Event): string => event_id.toLowerCase();

/** A key may be printed over the end of a turn: what the turn before holds of it goes on in the next one. */
export function turnsToLock(ofEvents: readonly number[], { latestStream }: ReportedDispatch): Set<number> {
  const wanted = new Set(ofEvents);
  if (latestStream !== null && ofEvents.some((turnIndex) => turnIndex > latestStream))
    wanted.add(latestStream);
  return wanted;
}

/** All of a report or nothing: the desk is changed when none of it can be refused any more. */
export function take(desk: Desk, { report, dispatch, redactor, turns }: Placed): ReceivedReport {
  const key = keyOf(report);
  const own = desk.attempts.get(report.attempt);
  if (own === undefined) throw new Error(`nothing was loaded of ${report.dispatchId}`);
  const streams: Attempt["streams"] = new Map();
  const fresh = unknownEvents(desk.seal, own, report);
  const drafts: Omit<NewTraceRun, "runNumber">[] = [];
  for (const [turnIndex, events] of byTurn(fresh, turns)) {
    const streamOf = (turn: number): TurnStream | undefined =>
      streams.get(turn) ?? own.streams.get(turn) ?? openSealed(desk, { ...key, turnIndex: turn });
    const last = turnBefore(turnIndex, own, streams, dispatch);
    const earlier = last === undefined ? undefined : streamOf(last);
    const before = streamOf(turnIndex) ?? openTurnStream(redactor, earlier);
    // One that names no turn and is sent again once the next has begun is still the earlier one's.
    const waits = (one: ArrivingEvent) =>
      isHeld(before, one) || (earlier !== undefined && namesNoTurn(one) && isHeld(earlier, one));
    const noneWaits = before.held.length === 0 && (earlier === undefined || earlier.held.length === 0);
    const waiting = noneWaits ? events : events.filter((one) => !waits(one));
    const taken = takeEvents(redactor, before, waiting, (said) => fingerprintOf(desk.seal, said));
    streams.set(turnIndex, taken.stream);
    drafts.push(...runsOf({ ...key, turnIndex }, dispatch, unlessKept(own, before, taken.kept)));
  }
  for (const [turnIndex, stream] of streams) own.streams.set(turnIndex, stream);
  for (const { event, index } of fresh) own.known.set(report.ids[index] ?? idOf(event), event);
  const lastRun = own.fresh.at(-1)?.runNumber ?? own.ids.lastRun;
  const runs = drafts.map((run, index) => Object.assign(run, { runNumber: lastRun + index + 1 }));
  own.fresh.push(...runs);
  if (runs.length > 0) desk.reports.push({ kind: "trace.reported", news: newsOf(report, dispatch), runs });
  return { receivedAt: new Date(dispatch.began) };
}

/**
 * One that waited, and whose id another event took meanwhile under another turn, is not kept: an id names one event. Nobody can
 * be told any more, for it was answered when it came.
 */
function unlessKept(
  { known, fresh }: Attempt,
  { held }: TurnStream,
  kept: readonly KeptEvent[],
): readonly KeptEvent[] {
  if (held.length === 0) return kept;
  const waited = new Set(held.map(({ event }) => idOf(event)));
  return kept.filter(({ eventId }) => {
    const id = eventId.toLowerCase();
    if (!waited.has(id)) return true;
    const other = known.get(id);
    const isOnFile = other !== undefined && !("event_id" in other);
    return !isOnFile && !fresh.some(({ eventIds }) => eventIds.includes(id));
  });
}

/** D22's rule for ids: the same event again is passed over, another one under its id is refused. */
function unknownEvents(seal: Seal, { known }: Attempt, { events, ids, texts }: EventReport): ArrivingEvent[] {
  const seen = new Map<string, Event>();
  return events.flatMap((event, index) => {
    const id = ids[index] ?? idOf(event);
    const before = known.get(id) ?? seen.get(id);
    if (before === undefined) {
      seen.set(id, event);
      return { event, index, text: texts?.[index] };
    }
    if (isSameEvent(seal, before, event)) return [];
    throw reused(index);
  });
}

/** In the order of the turns. Nearly always there is one. */
function byTurn(
  events: readonly ArrivingEvent[],
  turns: readonly number[],
): (readonly [turnIndex: number, events: readonly ArrivingEvent[]])[] {
  const [first] = events;
  if (first === undefined) return [];
  const turnOf = ({ index }: ArrivingEvent): number => turns[index] ?? 0;
  const turn = turnOf(first);
  if (events.every((one) => turnOf(one) === turn)) return [[turn, events]];
  return [...Map.groupBy(events, turnOf)].toSorted(([one], [other]) => one - other);
}

const namesNoTurn = ({ event: { payload, turn_index } }: ArrivingEvent): boolean =>
  payload.type !== "THOUGHT_STREAM" && turn_index === undefined;

/** One that waits for its predecessors is in no row yet. */
function isHeld({ held }: TurnStream, { event, index }: ArrivingEvent): boolean {
  const same = held.find((one) => idOf(one.event) === idOf(event));
  if (same === undefined) return false;
  if (areSame(same.event, event)) return true;
  throw reused(index);
}

const reused = (index: number) =>
  new SignalboxError("IDEMPOTENCY_KEY_REUSED", "An event's id belongs to another event.", {
    violations: [
      {
        field: `[${index}].event_id`,
        rule: "unique",
        message: "names another event of this dispatch; the same event again is the same in every field",
      },
    ],
  });

export function openSealed(
  { sealed, streams }: Pick<Desk, "sealed" | "streams">,
  key: TurnKey,
): TurnStream | undefined {
  const place = turnText(key);
  const bytes = sealed.get(place) ?? null;
  if (bytes === null) return undefined;
  const stream = streams.open(bytes, place);
  // D21: without what was held, a secret's second half could pass for harmless.
  if (stream === undefined)
    throw new SignalboxError(
      "REDACTION_FAILED",
      `What is held of turn ${key.turnIndex} was sealed under another database password and cannot be read.`,
    );
  return stream;
}

/** The latest turn before this one of which there is a stream. */
function turnBefore(
  turnIndex: number,
  own: Attempt,
  streams: Attempt["streams"],
  { latestStream }: ReportedDispatch,
): number | undefined {
  const begun = [...own.streams.keys(), ...streams.keys(), latestStream ?? -1];
  const last = Math.max(-1, ...begun.filter((one) => one < turnIndex));
  return last === -1 ? undefined : last;
}

/** One for a report: what was kept of it is added as it is written. */
const newsOf = ({ dispatchId, place: { attemptNumber } }: EventReport, { stageId }: ReportedDispatch) =>
  JSON.stringify({ stageId, dispatchId, attemptNumber });
