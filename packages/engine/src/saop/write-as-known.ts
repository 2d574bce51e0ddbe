import { SignalboxError } from "@signalbox/contracts";
import { turnsOfEvents } from "@signalbox/core";
import {
  commitWith,
  type Database,
  demandCountingKeys,
  insertionOfTraceReports,
  isOvertaken,
  isUnmetDemand,
  type KnownStream,
  nonceOf,
  saveOfKnownStreams,
  type TurnKey,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import { unconfirmedKeysOf } from "../identity/confirm-keys.ts";
import { done, type Outcome } from "../orchestrator/work.ts";
import { type Attempt, type Desk, type EventReport, take, turnText } from "./event-desk.ts";
import type { EventIds } from "./event-ids.ts";
import { type Facts, knownEventsOf } from "./known-events.ts";
import { noteWritten } from "./note-written.ts";
import { keyOf } from "./reported-dispatches.ts";
import type { LastStream } from "./sealed-streams.ts";
import type { ReceivedReport } from "./report-events.ts";

/** What this process wrote last of an attempt: what it was judged on, and the stream of its latest turn. */
type AsKnown = {
  readonly ids: EventIds;
  readonly facts: Facts;
  readonly turn: TurnKey;
  readonly place: string;
  readonly last: LastStream;
};

/** Attempts all of whose reports here go on from what this process wrote last: every event in that turn, and none sent before. */
export function attemptsAsKnown(
  database: Database,
  reports: readonly EventReport[],
): ReadonlyMap<string, AsKnown> {
  const known = new Map<string, AsKnown>();
  const others = new Set<string>();
  for (const report of reports) {
    const { attempt } = report;
    if (others.has(attempt)) continue;
    const found = known.get(attempt) ?? findKnown(database, report);
    if (found !== undefined && goesOn(report, found.ids, found.facts)) {
      known.set(attempt, found);
      continue;
    }
    others.add(attempt);
    known.delete(attempt);
  }
  return known;
}

function findKnown(database: Database, report: EventReport): AsKnown | undefined {
  const { attempts, streams } = knownEventsOf(database);
  const { ids, facts } = attempts.find(report.attempt) ?? {};
  if (ids === undefined || facts === undefined) return undefined;
  const turn = { ...keyOf(report), turnIndex: facts.dispatch.latestTurn };
  const place = turnText(turn);
  const last = streams.last(place);
  return last && { ids, facts, turn, place, last };
}

function goesOn({ events, ids }: EventReport, kept: EventIds, { dispatch }: Facts): boolean {
  const { latestTurn, latestStream } = dispatch;
  return (
    latestTurn === latestStream &&
    turnsOfEvents(events, latestTurn).every((turn) => turn === latestTurn) &&
    !ids.some((id) => kept.has(id))
  );
}

/**
 * Reports of such attempts: nothing has to be asked before they are judged, and one round trip writes them and demands that all
 * is as it was known. Undefined where it is not, or where anything is refused: then nothing was kept, and it is for the long way
 * to say what is so.
 */
export async function writeAsKnown(
  { database }: Pick<Engine, "database">,
  reports: readonly EventReport[],
  known: ReadonlyMap<string, AsKnown>,
): Promise<Outcome<ReceivedReport>[] | undefined> {
  const desk = openKnown(database, known);
  if (desk === undefined || !reports.every((report) => isTaken(desk, report, known))) return undefined;
  const rows = [...known].map(([text, asKnown]) => streamOf(desk, text, asKnown));
  const tenantIds = [...new Set(reports.map(({ caller }) => caller.tenantId))];
  try {
    const [[saved]] = await database.inTenants(
      tenantIds,
      (tx) =>
        commitWith<[{ began: number }, Record<string, unknown>]>(tx, [
          saveOfKnownStreams(rows, demandCountingKeys(unconfirmedKeysOf(reports))),
          insertionOfTraceReports(tx, desk.reports),
        ]),
      { repeatable: true },
    );
    if (saved === undefined) throw new Error("a save of streams told nothing");
    noteWritten(database, desk, (text) => known.get(text)?.facts);
    const receivedAt = new Date(saved.began);
    return reports.map(() => done({ receivedAt }));
  } catch (error) {
    for (const text of known.keys()) knownEventsOf(database).attempts.doubt(text);
    if (isUnmetDemand(error) || isOvertaken(error)) return undefined;
    throw error;
  }
}

/** Undefined where one waits in a stream whose id another event may have taken since: that has to be looked up. */
function openKnown(database: Database, known: ReadonlyMap<string, AsKnown>): Desk | undefined {
  const attempts = new Map<string, Attempt>();
  for (const [text, { ids, turn, last }] of known) {
    if (last.stream.held.some(({ event }) => ids.has(event.event_id))) return undefined;
    const streams = new Map([[turn.turnIndex, last.stream]]);
    attempts.set(text, { key: turn, ids, shared: false, streams, known: new Map(), fresh: [] });
  }
  const { streams } = knownEventsOf(database);
  return { seal: database.seal, streams, sealed: new Map(), attempts, reports: [] };
}

function isTaken(desk: Desk, report: EventReport, known: ReadonlyMap<string, AsKnown>): boolean {
  const own = known.get(report.attempt);
  if (own === undefined) return false;
  const { dispatch, redactor } = own.facts;
  try {
    authorise(report.caller, "dispatch.report", { packId: dispatch.packId });
    take(desk, { report, dispatch, redactor, turns: report.events.map(() => dispatch.latestTurn) });
    return true;
  } catch (error) {
    if (error instanceof SignalboxError) return false;
    throw error;
  }
}

function streamOf(
  { attempts, streams }: Desk,
  text: string,
  { facts, turn, place, last }: AsKnown,
): KnownStream {
  const stream = attempts.get(text)?.streams.get(turn.turnIndex);
  if (stream === undefined) throw new Error(`nothing was judged of ${text}`);
  return {
    ...turn,
    policyVersion: facts.policyVersion,
    nonce: nonceOf(last.sealed),
    sealed: streams.close(stream, place),
  };
}
