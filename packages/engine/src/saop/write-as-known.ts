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
import { type KnownAttempt, knownEventsOf } from "./known-events.ts";
import { noteWritten } from "./note-written.ts";
import { keyOf } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";

/**
 * Where every attempt is known, and every event goes on in the turn that was written last, nothing has to be asked before it is
 * judged: one round trip writes it, and demands that all is as it was known. Undefined where it is not, or where anything is
 * refused: then nothing was kept, and it is for the long way to say what is so.
 */
export async function writeAsKnown(
  { database }: Pick<Engine, "database">,
  reports: readonly EventReport[],
): Promise<Outcome<ReceivedReport>[] | undefined> {
  const judged = judgeAsKnown(database, reports);
  if (judged === undefined) return undefined;
  const { desk, attempts } = judged;
  const rows = [...attempts].map(([text, known]) => streamOf(desk, text, known));
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
    noteWritten(database, desk, attempts);
    const receivedAt = new Date(saved.began);
    return reports.map(() => done({ receivedAt }));
  } catch (error) {
    for (const text of attempts.keys()) knownEventsOf(database).attempts.forget(text);
    if (isUnmetDemand(error) || isOvertaken(error)) return undefined;
    throw error;
  }
}

type Judged = { readonly desk: Desk; readonly attempts: ReadonlyMap<string, KnownAttempt> };

function judgeAsKnown(database: Database, reports: readonly EventReport[]): Judged | undefined {
  const known = knownEventsOf(database);
  const attempts = new Map<string, KnownAttempt>();
  const opened = new Map<string, Attempt>();
  const sealed = new Map<string, Uint8Array>();
  for (const report of reports) {
    const { attempt: text } = report;
    const own = known.attempts.find(text);
    if (own === undefined || !goesOn(own, report)) return undefined;
    if (attempts.has(text)) continue;
    const key = keyOf(report);
    const place = turnText({ ...key, turnIndex: own.dispatch.latestTurn });
    const last = known.streams.last(place);
    if (last === undefined) return undefined;
    sealed.set(place, last);
    attempts.set(text, own);
    const { ids, runs, lastId } = own;
    opened.set(text, { key, ids, runs, lastId, streams: new Map(), known: new Map(), fresh: [] });
  }
  const desk: Desk = { seal: database.seal, streams: known.streams, sealed, attempts: opened, reports: [] };
  return reports.every((report) => isTaken(desk, report, attempts)) ? { desk, attempts } : undefined;
}

/** Every event is the latest turn's, of which there is a stream, and none was sent before. */
function goesOn({ dispatch, ids: kept }: KnownAttempt, { events, ids }: EventReport): boolean {
  const { latestTurn, latestStream } = dispatch;
  return (
    latestTurn === latestStream &&
    turnsOfEvents(events, latestTurn).every((turn) => turn === latestTurn) &&
    !ids.some((id) => kept.has(id))
  );
}

function isTaken(desk: Desk, report: EventReport, attempts: Judged["attempts"]): boolean {
  const own = attempts.get(report.attempt);
  if (own === undefined) return false;
  const { dispatch, redactor } = own;
  try {
    authorise(report.caller, "dispatch.report", { packId: dispatch.packId });
    take(desk, { report, dispatch, redactor, turns: report.events.map(() => dispatch.latestTurn) });
    return true;
  } catch (error) {
    if (error instanceof SignalboxError) return false;
    throw error;
  }
}

function streamOf({ attempts, sealed, streams }: Desk, text: string, known: KnownAttempt): KnownStream {
  const own = attempts.get(text);
  const turnIndex = known.dispatch.latestTurn;
  const stream = own?.streams.get(turnIndex);
  if (own === undefined || stream === undefined) throw new Error(`nothing was judged of ${text}`);
  const turn = { ...own.key, turnIndex };
  const place = turnText(turn);
  const before = sealed.get(place);
  if (!(before instanceof Uint8Array)) throw new Error(`nothing was known of ${place}`);
  const { policyVersion } = known;
  return {
    ...turn,
    policyVersion,
    nonce: nonceOf(before),
    sealed: streams.close(stream, place),
    latestTurn: turnIndex,
  };
}
