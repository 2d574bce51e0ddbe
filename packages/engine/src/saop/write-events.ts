import { SignalboxError } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import {
  type ArrivingEvent,
  openTurnStream,
  type Redactor,
  takeEvents,
  type TurnStream,
  turnsOfEvents,
} from "@signalbox/core";
import {
  type BatchTransaction,
  commitWith,
  type DispatchKey,
  type EventKey,
  findTraceEvents,
  insertionOfTraceReports,
  isKnownTraceEvent,
  lockTurnStreams,
  type NewTraceReport,
  type NewTraceRun,
  type ReportedDispatch,
  saveOfTurnStreams,
  type Seal,
  type TurnKey,
} from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { dispatchText, keyOf, loadReporting, type Report, requireReporting } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";
import { runsOf } from "./runs-of.ts";
import { sealedStreams, type SealedStreams } from "./sealed-streams.ts";
import { areSame, fingerprintOf, isSameEvent, type KnownEvent } from "./same-event.ts";

export type EventReport = Report & { readonly events: readonly Event[] };

/** A report that may be taken, with the turn of each of its events. */
type Placed = {
  readonly report: EventReport;
  readonly dispatch: ReportedDispatch;
  readonly redactor: Redactor;
  readonly turns: readonly number[];
};

/** After the first, each that fails found what another node committed between the look-up and the insert. */
const MOST_TRIES = 10;

type Writing = Pick<Engine, "database" | "documents">;

const streamsOfSeals = new WeakMap<Seal, SealedStreams>();
function streamsUnder(seal: Seal): SealedStreams {
  const known = streamsOfSeals.get(seal) ?? sealedStreams(seal);
  streamsOfSeals.set(seal, known);
  return known;
}

/**
 * Reports of any number of agents in one transaction. One that is refused is refused alone. Events are hardly ever sent
 * again, so their ids are looked for only when one of them may have been: an insert fails, or an event is refused. Then all is done again.
 */
export async function writeEvents(
  engine: Writing,
  reports: readonly EventReport[],
): Promise<Outcome<ReceivedReport>[]> {
  let known = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeIn(engine, reports, { known });
    } catch (error) {
      if (tries === MOST_TRIES || (error !== sentAgain && !isKnownTraceEvent(error))) throw error;
      known = true;
    }
  }
}

type LookUp = { readonly known: boolean };

/** What refuses an event may be that it is here already. Thrown, so that the transaction leaves nothing behind. */
const sentAgain = new Error("an event may have been sent again");

function writeIn(
  engine: Writing,
  reports: readonly EventReport[],
  lookUp: LookUp,
): Promise<Outcome<ReceivedReport>[]> {
  const tenantIds = [...new Set(reports.map(({ caller }) => caller.tenantId))];
  const work = async (tx: BatchTransaction): Promise<Outcome<ReceivedReport>[]> => {
    const reporting = await loadReporting(engine, tx, reports);
    const placed = reports.map((report) =>
      attempt((): Placed => {
        const { dispatch, redactor } = requireReporting(reporting, report);
        return { report, dispatch, redactor, turns: turnsOfEvents(report.events, dispatch.latestTurn) };
      }),
    );
    const open = placed.flatMap((one) => (one.ok ? [one.value] : []));
    const desk = await openDesk(engine.database.seal, tx, open, lookUp);
    const answered = placed.map((one) => (one.ok ? attempt(() => take(desk, one.value)) : one));
    if (!lookUp.known && answered.some(({ ok }, index) => !ok && placed[index]?.ok === true)) throw sentAgain;
    await write(tx, desk);
    return answered;
  };
  return engine.database.inTenants(tenantIds, work, { repeatable: true });
}

function attempt<T>(work: () => T): Outcome<T> {
  try {
    return done(work());
  } catch (error) {
    if (error instanceof SignalboxError) return refuse(error);
    throw error;
  }
}

/** What a transaction knows, and what it is going to write. */
type Desk = {
  readonly seal: Seal;
  readonly streams: SealedStreams;
  /** By turn, as they were when they were locked. */
  readonly sealed: ReadonlyMap<string, Uint8Array | null>;
  readonly attempts: Map<string, Attempt>;
  readonly reports: NewTraceReport[];
};

/** One that is reported on. */
type Attempt = {
  readonly key: DispatchKey;
  /** By turn, as they are now. */
  readonly streams: Map<number, TurnStream>;
  /** By id, in small letters. */
  readonly known: Map<string, KnownEvent>;
};

const turnText = (key: TurnKey): string => `${dispatchText(key)}/${key.turnIndex}`;
const idOf = ({ event_id }: Event): string => event_id.toLowerCase();

async function openDesk(
  seal: Seal,
  tx: BatchTransaction,
  placed: readonly Placed[],
  lookUp: LookUp,
): Promise<Desk> {
  const attempts: Desk["attempts"] = new Map();
  const turns = new Map<string, TurnKey>();
  const ids = new Map<string, EventKey>();
  for (const { report, dispatch, turns: ofEvents } of placed) {
    const key = keyOf(report);
    const attemptText = dispatchText(key);
    attempts.set(attemptText, { key, streams: new Map(), known: new Map() });
    for (const turnIndex of turnsToLock(ofEvents, dispatch)) {
      const turn = { ...key, turnIndex };
      turns.set(turnText(turn), turn);
    }
    if (!lookUp.known) continue;
    for (const event of report.events) {
      const eventId = idOf(event);
      ids.set(`${attemptText}/${eventId}`, { ...key, eventId });
    }
  }
  // The ids are looked for under the locks: what another node was keeping is there by then.
  const [locked, found] = await Promise.all([
    lockTurnStreams(tx, [...turns.values()]),
    findTraceEvents(tx, [...ids.values()]),
  ]);
  for (const row of found) attempts.get(dispatchText(row))?.known.set(row.eventId, row);
  return {
    seal,
    streams: streamsUnder(seal),
    sealed: new Map(locked.map((row) => [turnText(row), row.sealed])),
    attempts,
    reports: [],
  };
}

/** A key may be printed over the end of a turn: what the turn before holds of it goes on in the next one. */
function turnsToLock(ofEvents: readonly number[], { latestStream }: ReportedDispatch): Set<number> {
  const wanted = new Set(ofEvents);
  if (latestStream !== null && ofEvents.some((turnIndex) => turnIndex > latestStream))
    wanted.add(latestStream);
  return wanted;
}

/** All of a report or nothing: the desk is changed when none of it can be refused any more. */
function take(desk: Desk, { report, dispatch, redactor, turns }: Placed): ReceivedReport {
  const key = keyOf(report);
  const own = desk.attempts.get(dispatchText(key));
  if (own === undefined) throw new Error(`nothing was loaded of ${report.dispatchId}`);
  const streams: Attempt["streams"] = new Map();
  const fresh = unknownEvents(desk.seal, own, report);
  const runs: NewTraceRun[] = [];
  const byTurn = Map.groupBy(fresh, ({ index }) => turns[index] ?? dispatch.latestTurn);
  for (const [turnIndex, events] of [...byTurn].toSorted(([one], [other]) => one - other)) {
    const streamOf = (turn: number): TurnStream | undefined =>
      streams.get(turn) ?? own.streams.get(turn) ?? openSealed(desk, { ...key, turnIndex: turn });
    const last = turnBefore(turnIndex, own, streams, dispatch);
    const earlier = last === undefined ? undefined : streamOf(last);
    const before = streamOf(turnIndex) ?? openTurnStream(redactor, earlier);
    // One that names no turn and is sent again once the next has begun is still the earlier one's.
    const waits = (one: ArrivingEvent) =>
      isHeld(before, one) || (earlier !== undefined && namesNoTurn(one) && isHeld(earlier, one));
    const waiting = events.filter((one) => !waits(one));
    const taken = takeEvents(redactor, before, waiting, (said) => fingerprintOf(desk.seal, said));
    streams.set(turnIndex, taken.stream);
    runs.push(...runsOf({ ...key, turnIndex }, dispatch, taken.kept));
  }
  for (const [turnIndex, stream] of streams) own.streams.set(turnIndex, stream);
  for (const { event } of fresh) own.known.set(idOf(event), event);
  if (runs.length > 0) desk.reports.push({ kind: "trace.reported", news: newsOf(report, dispatch), runs });
  return { receivedAt: new Date(dispatch.began) };
}

/** D22's rule for ids: the same event again is passed over, another one under its id is refused. */
function unknownEvents(seal: Seal, { known }: Attempt, report: EventReport): ArrivingEvent[] {
  const seen = new Map<string, Event>();
  return report.events.flatMap((event, index) => {
    const id = idOf(event);
    const before = known.get(id) ?? seen.get(id);
    if (before === undefined) {
      seen.set(id, event);
      return { event, index };
    }
    if (isSameEvent(seal, before, event)) return [];
    throw reused(index);
  });
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

function openSealed({ sealed, streams }: Desk, key: TurnKey): TurnStream | undefined {
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

async function write(tx: BatchTransaction, { streams, attempts, reports }: Desk): Promise<void> {
  const rows = [...attempts.values()].flatMap(({ key, streams: ofTurns }) =>
    [...ofTurns].map(([turnIndex, stream]) => {
      const turn = { ...key, turnIndex };
      return Object.assign(turn, { sealed: streams.close(stream, turnText(turn)) });
    }),
  );
  await commitWith(tx, [insertionOfTraceReports(tx, reports), saveOfTurnStreams(rows)]);
}
