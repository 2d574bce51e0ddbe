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
import type { ReceivedReport } from "./report-events.ts";

/** Attempts all of whose reports here go on from what this process wrote last: every event in that turn, and none sent before. */
export function attemptsAsKnown(
  database: Database,
  reports: readonly EventReport[],
): ReadonlyMap<string, Facts> {
  const { attempts, streams } = knownEventsOf(database);
  const known = new Map<string, Facts>();
  const others = new Set<string>();
  for (const report of reports) {
    const { attempt } = report;
    if (others.has(attempt)) continue;
    const { ids, facts } = attempts.find(attempt) ?? {};
    const isSealed = (own: Facts): boolean => streams.last(placeOf(report, own)) !== undefined;
    if (ids !== undefined && facts !== undefined && goesOn(report, ids, facts) && isSealed(facts)) {
      known.set(attempt, facts);
      continue;
    }
    others.add(attempt);
    known.delete(attempt);
  }
  return known;
}

const placeOf = (report: EventReport, { dispatch: { latestTurn } }: Facts): string =>
  turnText({ ...keyOf(report), turnIndex: latestTurn });

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
  known: ReadonlyMap<string, Facts>,
): Promise<Outcome<ReceivedReport>[] | undefined> {
  const desk = openKnown(database, reports, known);
  if (desk === undefined || !reports.every((report) => isTaken(desk, report, known))) return undefined;
  const rows = [...known].map(([text, facts]) => streamOf(desk, text, facts));
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
    noteWritten(database, desk, known);
    const receivedAt = new Date(saved.began);
    return reports.map(() => done({ receivedAt }));
  } catch (error) {
    for (const text of known.keys()) knownEventsOf(database).attempts.doubt(text);
    if (isUnmetDemand(error) || isOvertaken(error)) return undefined;
    throw error;
  }
}

/** Undefined where one waits in a stream whose id another event may have taken since: that has to be looked up. */
function openKnown(
  database: Database,
  reports: readonly EventReport[],
  known: ReadonlyMap<string, Facts>,
): Desk | undefined {
  const { attempts: remembered, streams } = knownEventsOf(database);
  const attempts = new Map<string, Attempt>();
  const sealed = new Map<string, Uint8Array>();
  for (const report of reports) {
    const { attempt: text } = report;
    const facts = known.get(text);
    const ids = remembered.find(text)?.ids;
    if (facts === undefined || ids === undefined) return undefined;
    if (attempts.has(text)) continue;
    const place = placeOf(report, facts);
    const last = streams.last(place);
    if (last === undefined) return undefined;
    const held = streams.open(last, place)?.held ?? [];
    if (held.some(({ event }) => ids.has(event.event_id))) return undefined;
    sealed.set(place, last);
    attempts.set(text, {
      key: keyOf(report),
      ids,
      shared: false,
      streams: new Map(),
      known: new Map(),
      fresh: [],
    });
  }
  return { seal: database.seal, streams, sealed, attempts, reports: [] };
}

function isTaken(desk: Desk, report: EventReport, known: ReadonlyMap<string, Facts>): boolean {
  const facts = known.get(report.attempt);
  if (facts === undefined) return false;
  const { dispatch, redactor } = facts;
  try {
    authorise(report.caller, "dispatch.report", { packId: dispatch.packId });
    take(desk, { report, dispatch, redactor, turns: report.events.map(() => dispatch.latestTurn) });
    return true;
  } catch (error) {
    if (error instanceof SignalboxError) return false;
    throw error;
  }
}

function streamOf({ attempts, sealed, streams }: Desk, text: string, facts: Facts): KnownStream {
  const own = attempts.get(text);
  const turnIndex = facts.dispatch.latestTurn;
  const stream = own?.streams.get(turnIndex);
  if (own === undefined || stream === undefined) throw new Error(`nothing was judged of ${text}`);
  const turn = { ...own.key, turnIndex };
  const place = turnText(turn);
  const before = sealed.get(place);
  if (!(before instanceof Uint8Array)) throw new Error(`nothing was known of ${place}`);
  return {
    ...turn,
    policyVersion: facts.policyVersion,
    nonce: nonceOf(before),
    sealed: streams.close(stream, place),
    latestTurn: turnIndex,
  };
}
