import { SignalboxError } from "@signalbox/contracts";
import {
  type ArrivingEvent,
  dispatchIdOf,
  type KeptEvent,
  openTurnStream,
  printTurnStream,
  readTurnStream,
  type Redactor,
  takeEvents,
  type TurnStream,
  turnsOfEvents,
} from "@signalbox/core";
import {
  type BatchTransaction,
  commitWith,
  type EventKey,
  findTraceEvents,
  insertionOfEvents,
  insertionOfTraceEvents,
  isKnownTraceEvent,
  lockTurnStreams,
  type NewEvent,
  type NewTraceEvent,
  type ReportedDispatch,
  saveOfTurnStreams,
  type Seal,
  type TurnKey,
} from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { keyOf, loadReporting, type Report, requireReporting } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";

export type EventReport = Report & { readonly events: readonly ArrivingEvent[] };

/** A report that may be taken, with the turn of each of its events. */
type Placed = {
  readonly report: EventReport;
  readonly dispatch: ReportedDispatch;
  readonly redactor: Redactor;
  readonly turns: readonly number[];
};

type Writing = Pick<Engine, "database" | "documents">;

/**
 * Reports of any number of agents in one transaction. One that is refused is refused alone. Events are hardly ever sent
 * again, so their ids are looked for only when one of them may have been: an insert fails, or an event is refused. Then all is done again.
 */
export async function writeEvents(
  engine: Writing,
  reports: readonly EventReport[],
): Promise<Outcome<ReceivedReport>[]> {
  try {
    return await writeIn(engine, reports, { known: false });
  } catch (error) {
    if (error !== sentAgain && !isKnownTraceEvent(error)) throw error;
    return writeIn(engine, reports, { known: true });
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
        const said = report.events.map(({ event }) => event);
        return { report, dispatch, redactor, turns: turnsOfEvents(said, dispatch.latestTurn) };
      }),
    );
    const open = placed.flatMap((one) => (one.ok ? [one.value] : []));
    const desk = await openDesk(engine.database.seal, tx, open, lookUp);
    const answered = placed.map((one) => (one.ok ? attempt(() => take(desk, one.value)) : one));
    if (!lookUp.known && answered.some(({ ok }, index) => !ok && placed[index]?.ok === true)) throw sentAgain;
    await write(tx, desk, lookUp);
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
  readonly sealed: ReadonlyMap<string, Uint8Array | null>;
  readonly streams: Map<string, { readonly key: TurnKey; readonly stream: TurnStream }>;
  /** Fingerprints of what was kept before, by event. */
  readonly known: Map<string, string>;
  readonly kept: NewTraceEvent[];
  readonly news: NewEvent[];
};

const turnText = (key: TurnKey): string => `${key.tenantId}/${dispatchIdOf(key)}/${key.turnIndex}`;
const eventText = (key: EventKey): string => `${key.tenantId}/${dispatchIdOf(key)}/${key.eventId}`;
/** The same of a report's events: what they have in common is made once. */
const eventsOf = ({ caller, place }: Report) => {
  const common = `${caller.tenantId}/${dispatchIdOf(place)}/`;
  return ({ event_id }: { readonly event_id: string }) => common + event_id.toLowerCase();
};

async function openDesk(
  seal: Seal,
  tx: BatchTransaction,
  placed: readonly Placed[],
  lookUp: LookUp,
): Promise<Desk> {
  const turns = new Map<string, TurnKey>();
  const ids = new Map<string, EventKey>();
  for (const { report, dispatch, turns: ofEvents } of placed) {
    const key = keyOf(report);
    for (const turnIndex of turnsToLock(ofEvents, dispatch))
      turns.set(turnText({ ...key, turnIndex }), { ...key, turnIndex });
    if (!lookUp.known) continue;
    for (const { event } of report.events) {
      const own = { ...key, eventId: event.event_id.toLowerCase() };
      ids.set(eventText(own), own);
    }
  }
  // The ids are looked for under the locks: what another node was keeping is there by then.
  const [locked, found] = await Promise.all([
    lockTurnStreams(tx, [...turns.values()]),
    findTraceEvents(tx, [...ids.values()]),
  ]);
  return {
    seal,
    sealed: new Map(locked.map((row) => [turnText(row), row.sealed])),
    streams: new Map(),
    known: new Map(found.map((row) => [eventText(row), row.fingerprint])),
    kept: [],
    news: [],
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
  const streams: Desk["streams"] = new Map();
  const fresh = unknownEvents(desk, report);
  const kept: NewTraceEvent[] = [];
  const byTurn = Map.groupBy(fresh, ({ index }) => turns[index] ?? dispatch.latestTurn);
  for (const [turnIndex, events] of [...byTurn].toSorted(([one], [other]) => one - other)) {
    const own = { ...key, turnIndex };
    const earlier = streamBefore(desk, streams, own, dispatch);
    const before = streamOf(desk, streams, own) ?? openTurnStream(redactor, earlier);
    // One that names no turn and is sent again once the next has begun is still the earlier one's.
    const waits = (one: Indexed) =>
      isHeld(before, one) || (earlier !== undefined && namesNoTurn(one) && isHeld(earlier, one));
    const waiting = events.filter((one) => !waits(one));
    const taken = takeEvents(redactor, before, waiting);
    streams.set(turnText(own), { key: own, stream: taken.stream });
    for (const one of taken.kept) kept.push(rowOf(own, dispatch, one));
  }
  for (const [text, stream] of streams) desk.streams.set(text, stream);
  const textOf = eventsOf(report);
  for (const { event, fingerprint } of fresh) desk.known.set(textOf(event), fingerprint);
  if (kept.length > 0) {
    desk.kept.push(...kept);
    desk.news.push(newsOf(report, dispatch, kept));
  }
  return { receivedAt: new Date(dispatch.began) };
}

type Indexed = ArrivingEvent & { readonly index: number };

/** D22's rule for ids: the same event again is passed over, another one under its id is refused. */
function unknownEvents({ known }: Desk, report: EventReport): Indexed[] {
  const textOf = eventsOf(report);
  const seen = new Map<string, string>();
  return report.events.flatMap((one, index) => {
    const text = textOf(one.event);
    const before = known.get(text) ?? seen.get(text);
    if (before === undefined) {
      seen.set(text, one.fingerprint);
      return { ...one, index };
    }
    if (before === one.fingerprint) return [];
    throw reused(index);
  });
}

const namesNoTurn = ({ event: { payload, turn_index } }: Indexed): boolean =>
  payload.type !== "THOUGHT_STREAM" && turn_index === undefined;

/** One that waits for its predecessors is in no row yet. */
function isHeld({ held }: TurnStream, { event, fingerprint, index }: Indexed): boolean {
  const same = held.find((one) => one.event.event_id.toLowerCase() === event.event_id.toLowerCase());
  if (same === undefined) return false;
  if (same.fingerprint === fingerprint) return true;
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

function streamOf(desk: Desk, streams: Desk["streams"], key: TurnKey): TurnStream | undefined {
  const place = turnText(key);
  const known = streams.get(place) ?? desk.streams.get(place);
  if (known !== undefined) return known.stream;
  const sealed = desk.sealed.get(place) ?? null;
  if (sealed === null) return undefined;
  const text = desk.seal.open(sealed, place);
  // D21: without what was held, a secret's second half could pass for harmless.
  if (text === undefined)
    throw new SignalboxError(
      "REDACTION_FAILED",
      `What is held of turn ${key.turnIndex} was sealed under another database password and cannot be read.`,
    );
  return readTurnStream(text);
}

const streamBefore = (
  desk: Desk,
  streams: Desk["streams"],
  key: TurnKey,
  { latestStream }: ReportedDispatch,
): TurnStream | undefined => {
  const own = [...desk.streams.values(), ...streams.values()]
    .filter((one) => dispatchIdOf(one.key) === dispatchIdOf(key) && one.key.tenantId === key.tenantId)
    .map((one) => one.key.turnIndex);
  const before = Math.max(
    -1,
    ...[...own, latestStream ?? -1].filter((turnIndex) => turnIndex < key.turnIndex),
  );
  return before === -1 ? undefined : streamOf(desk, streams, { ...key, turnIndex: before });
};

const rowOf = (key: TurnKey, { stageId }: ReportedDispatch, kept: KeptEvent): NewTraceEvent => ({
  ...key,
  stageId,
  sequence: kept.sequence,
  eventId: kept.eventId,
  type: kept.type,
  fingerprint: kept.fingerprint,
  event: JSON.stringify({ ...kept.event, turn_index: key.turnIndex, sequence: kept.sequence }),
});

/** One for a report: what was kept of it, in the form in which it was kept. */
function newsOf(
  report: EventReport,
  { stageId }: ReportedDispatch,
  kept: readonly NewTraceEvent[],
): NewEvent {
  const { tenantId, pipelineId, attemptNumber } = keyOf(report);
  const head = JSON.stringify({ stageId, dispatchId: report.dispatchId, attemptNumber });
  const events = kept.map(({ event }) => event).join(",");
  return {
    tenantId,
    pipelineId,
    kind: "trace.reported",
    payload: `${head.slice(0, -1)},"events":[${events}]}`,
  };
}

async function write(
  tx: BatchTransaction,
  { seal, streams, kept, news }: Desk,
  lookUp: LookUp,
): Promise<void> {
  await commitWith(tx, [
    insertionOfTraceEvents(kept, lookUp),
    saveOfTurnStreams(
      [...streams].map(([text, { key, stream }]) => {
        const sealed = seal.close(printTurnStream(stream), text);
        return Object.assign({ sealed }, key);
      }),
    ),
    insertionOfEvents(tx, news),
  ]);
}
