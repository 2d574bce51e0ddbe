import { SignalboxError } from "@signalbox/contracts";
import {
  type BatchTransaction,
  type Database,
  type DispatchKey,
  type EventKey,
  findTraceEvents,
  loadEventIds,
  lockTurnStreams,
  type NamedRun,
  type TurnKey,
} from "@signalbox/db";
import { createEventIds, type EventIds } from "./event-ids.ts";
import {
  type Attempt,
  type Desk,
  idOf,
  openSealed,
  type Placed,
  turnsToLock,
  turnText,
} from "./event-desk.ts";
import { type KnownEvents, knownEventsOf } from "./known-events.ts";
import { dispatchText, keyOf } from "./reported-dispatches.ts";

/** Under the locks of the streams that are reported on: what another node was keeping is there by then. */
export async function openDesk(
  database: Database,
  tx: BatchTransaction,
  placed: readonly Placed[],
): Promise<Desk> {
  const known = knownEventsOf(database);
  const keys = new Map<string, DispatchKey>();
  const turns = new Map<string, TurnKey>();
  for (const { report, dispatch, turns: ofEvents } of placed) {
    const key = keyOf(report);
    keys.set(report.attempt, key);
    for (const turnIndex of turnsToLock(ofEvents, dispatch)) {
      const turn = { ...key, turnIndex };
      turns.set(turnText(turn), turn);
    }
  }
  const [locked, attempts] = await Promise.all([
    lockTurnStreams(tx, [...turns.values()]),
    openAttempts(tx, known, keys),
  ]);
  const sealed = new Map(locked.map((row) => [turnText(row), row.sealed]));
  const desk: Desk = { seal: database.seal, streams: known.streams, sealed, attempts, reports: [] };
  const asked = perhapsKept(desk, placed, [...turns.values()]);
  for (const row of await findTraceEvents(tx, asked))
    attempts.get(dispatchText(row))?.known.set(row.eventId, row);
  return desk;
}

/** With the ids of all runs that are committed. What is loaded is so, whatever becomes of this transaction, and stays noted. */
async function openAttempts(
  tx: BatchTransaction,
  { attempts }: KnownEvents,
  keys: ReadonlyMap<string, DispatchKey>,
): Promise<Map<string, Attempt>> {
  const opened = new Map<string, { ids: EventIds; shared: boolean }>();
  for (const text of keys.keys())
    opened.set(text, { ids: attempts.find(text)?.ids ?? createEventIds(), shared: false });
  let wanted = [...keys].map(([text, key]) => fromRun(key, opened.get(text)?.ids));
  while (wanted.length > 0) {
    const found = Map.groupBy(await loadEventIds(tx, wanted, RUNS_A_PAGE), dispatchText);
    wanted = wanted.flatMap(({ from, ...key }) => {
      const text = dispatchText(key);
      const runs = found.get(text) ?? [];
      const own = opened.get(text);
      if (own === undefined) return [];
      if (!isAsRemembered(own.ids, runs)) {
        own.ids = createEventIds();
        return [fromRun(key, own.ids)];
      }
      for (const { runNumber, eventIds } of runs) {
        own.shared ||= runNumber > from;
        own.ids.note(runNumber, eventIds);
      }
      return runs.length === RUNS_A_PAGE ? [fromRun(key, own.ids)] : [];
    });
  }
  return new Map(
    [...opened].map(([text, { ids, shared }]) => {
      // Weighed with what was loaded.
      attempts.keep(text, { ids, facts: undefined });
      const key = keys.get(text);
      if (key === undefined) throw new Error(`attempt ${text} was not asked for`);
      const attempt: Attempt = { key, ids, shared, streams: new Map(), known: new Map(), fresh: [] };
      return [text, attempt];
    }),
  );
}

/** Of each attempt at once: a process that has just begun must not read all that its agents ever sent in one answer. */
const RUNS_A_PAGE = 200;

const fromRun = (key: DispatchKey, ids: EventIds | undefined) => ({ ...key, from: ids?.lastRun ?? 0 });

/** A database that went back to an earlier state, and on from there, has other runs under the numbers that are remembered. */
const isAsRemembered = ({ lastRun, lastId }: EventIds, [first]: readonly NamedRun[]): boolean =>
  lastRun === 0 || (first?.runNumber === lastRun && first.eventIds[0] === lastId);

/** Events that may be kept already: those that came, and those that wait and may have to be kept now. */
function perhapsKept(desk: Desk, placed: readonly Placed[], turns: readonly TurnKey[]): EventKey[] {
  const asked = new Map<string, EventKey>();
  const ask = (attempt: string, eventId: string): void => {
    const own = desk.attempts.get(attempt);
    if (own === undefined) return;
    for (const runNumber of own.ids.runsOf(eventId))
      asked.set(`${attempt}/${runNumber}/${eventId}`, { ...own.key, runNumber, eventId });
  };
  for (const { report } of placed) for (const id of report.ids) ask(report.attempt, id);
  for (const turn of turns) for (const id of heldIn(desk, turn)) ask(dispatchText(turn), id);
  return [...asked.values()];
}

/** None of a stream that cannot be opened: whoever reports on it is refused alone, when it is judged. */
function heldIn(desk: Desk, turn: TurnKey): string[] {
  try {
    return (openSealed(desk, turn)?.held ?? []).map(({ event }) => idOf(event));
  } catch (error) {
    if (error instanceof SignalboxError) return [];
    throw error;
  }
}
