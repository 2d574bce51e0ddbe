import { SignalboxError } from "@signalbox/contracts";
import { turnsOfEvents } from "@signalbox/core";
import {
  type BatchTransaction,
  commitWith,
  insertionOfTraceReports,
  isOvertaken,
  saveOfTurnStreams,
} from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { type Desk, type EventReport, type Placed, take, turnText } from "./event-desk.ts";
import { noteWritten } from "./note-written.ts";
import { openDesk } from "./open-event-desk.ts";
import { loadReporting, requireReporting } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";
import { attemptsAsKnown, writeAsKnown } from "./write-as-known.ts";

/** After the first, each that fails found what another node committed between the look-up and the insert. */
const MOST_TRIES = 10;

type Writing = Pick<Engine, "database" | "documents">;

/**
 * Reports of any number of agents. One that is refused is refused alone. Nearly all go on from what this process wrote last, and
 * are written as it is known; the others, and all where it is not so any more, are asked about and judged step by step.
 */
export async function writeEvents(
  engine: Writing,
  reports: readonly EventReport[],
): Promise<Outcome<ReceivedReport>[]> {
  const known = attemptsAsKnown(engine.database, reports);
  const isKnown = (report: EventReport): boolean => known.has(report.attempt);
  const goingOn = reports.filter(isKnown);
  const written = goingOn.length === 0 ? undefined : await writeAsKnown(engine, goingOn, known);
  if (written === undefined) return writeUntilKept(engine, reports);
  if (goingOn.length === reports.length) return written;
  const others = await writeUntilKept(
    engine,
    reports.filter((report) => !isKnown(report)),
  );
  const answers = { known: written.values(), others: others.values() };
  return reports.flatMap((report) => answers[isKnown(report) ? "known" : "others"].next().value ?? []);
}

async function writeUntilKept(
  engine: Writing,
  reports: readonly EventReport[],
): Promise<Outcome<ReceivedReport>[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeStepByStep(engine, reports);
    } catch (error) {
      if (tries === MOST_TRIES || !isOvertaken(error)) throw error;
    }
  }
}

async function writeStepByStep(
  engine: Writing,
  reports: readonly EventReport[],
): Promise<Outcome<ReceivedReport>[]> {
  const { database } = engine;
  const tenantIds = [...new Set(reports.map(({ caller }) => caller.tenantId))];
  const written = await database.inTenants(tenantIds, (tx) => writeIn(engine, tx, reports), {
    repeatable: true,
  });
  noteWritten(database, written.desk, (text) => written.facts.get(text));
  return written.answers;
}

async function writeIn(engine: Writing, tx: BatchTransaction, reports: readonly EventReport[]) {
  const reporting = await loadReporting(engine, tx, reports);
  const placed = reports.map((report) =>
    attempt((): Placed => {
      const { dispatch, redactor } = requireReporting(reporting, report);
      return { report, dispatch, redactor, turns: turnsOfEvents(report.events, dispatch.latestTurn) };
    }),
  );
  const open = placed.flatMap((one) => (one.ok ? [one.value] : []));
  const desk = await openDesk(engine.database, tx, open);
  const answers = placed.map((one) => (one.ok ? attempt(() => take(desk, one.value)) : one));
  await commitWith(tx, [insertionOfTraceReports(tx, desk.reports), saveOfTurnStreams(streamsOf(desk))]);
  // What trails behind a result is seldom, and has to be asked for each time: its time ends.
  const facts = open.flatMap(({ report, dispatch, redactor }) => {
    const policyVersion = reporting.policyVersions.get(report.caller.tenantId) ?? null;
    return dispatch.open ? [[report.attempt, { dispatch, redactor, policyVersion }] as const] : [];
  });
  return { answers, desk, facts: new Map(facts) };
}

const streamsOf = ({ attempts, streams }: Desk) =>
  [...attempts.values()].flatMap(({ key, streams: ofTurns }) =>
    [...ofTurns].map(([turnIndex, stream]) => {
      const turn = { ...key, turnIndex };
      return Object.assign(turn, { sealed: streams.close(stream, turnText(turn)) });
    }),
  );

function attempt<T>(work: () => T): Outcome<T> {
  try {
    return done(work());
  } catch (error) {
    if (error instanceof SignalboxError) return refuse(error);
    throw error;
  }
}
