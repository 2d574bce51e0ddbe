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
import { type Attempt, type Desk, type Placed, turnsToLock, turnText } from "./event-desk.ts";
import { type KnownAttempt, knownEventsOf } from "./known-events.ts";
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
  const remembered = new Map([...keys.keys()].map((text) => [text, known.attempts.find(text)]));
  const [locked, named] = await Promise.all([
    lockTurnStreams(tx, [...turns.values()]),
    loadEventIds(
      tx,
      [...keys].map(([text, key]) => fromRun(key, remembered.get(text)?.runs ?? 0)),
    ),
  ]);
  const runs = Map.groupBy(named, dispatchText);
  const strange = [...keys].filter(([text]) => !goesOn(remembered.get(text), runs.get(text)));
  for (const [text] of strange) {
    remembered.set(text, undefined);
    runs.delete(text);
  }
  const anew = await loadEventIds(
    tx,
    strange.map(([, key]) => fromRun(key, 0)),
  );
  for (const [text, own] of Map.groupBy(anew, dispatchText)) runs.set(text, own);
  const attempts = new Map(
    [...keys].map(([text, key]) => [text, openAttempt(key, remembered.get(text), runs.get(text) ?? [])]),
  );
  for (const row of await findTraceEvents(tx, perhapsSentAgain(attempts, placed)))
    attempts.get(dispatchText(row))?.known.set(row.eventId, row);
  return {
    seal: database.seal,
    streams: known.streams,
    sealed: new Map(locked.map((row) => [turnText(row), row.sealed])),
    attempts,
    reports: [],
  };
}

const fromRun = (key: DispatchKey, from: number) => ({ ...key, from });

/** A database that went back to an earlier state, and on from there, has other runs under the numbers that are remembered. */
function goesOn(known: KnownAttempt | undefined, found: readonly NamedRun[] = []): boolean {
  if (known === undefined || known.runs === 0) return true;
  const [last] = found;
  return last?.runNumber === known.runs && last.eventIds[0] === known.lastId;
}

/** What was loaded is committed, so that it may be noted whatever becomes of this transaction. */
function openAttempt(key: DispatchKey, known: KnownAttempt | undefined, found: readonly NamedRun[]): Attempt {
  const ids: EventIds = known?.ids ?? createEventIds();
  for (const { runNumber, eventIds } of found)
    if (known === undefined || runNumber > known.runs) for (const id of eventIds) ids.add(id, runNumber);
  return {
    key,
    ids,
    streams: new Map(),
    known: new Map(),
    runs: found.at(-1)?.runNumber ?? known?.runs ?? 0,
    lastId: found.at(-1)?.eventIds[0] ?? known?.lastId ?? "",
    fresh: [],
  };
}

function perhapsSentAgain(attempts: ReadonlyMap<string, Attempt>, placed: readonly Placed[]): EventKey[] {
  const asked = new Map<string, EventKey>();
  for (const { report } of placed) {
    const key = keyOf(report);
    const kept = attempts.get(report.attempt)?.ids;
    for (const eventId of report.ids)
      for (const runNumber of kept?.runsOf(eventId) ?? [])
        asked.set(`${report.attempt}/${runNumber}/${eventId}`, { ...key, runNumber, eventId });
  }
  return [...asked.values()];
}
