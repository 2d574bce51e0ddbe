import { SignalboxError } from "@signalbox/contracts";
import type { TurnEnvelope } from "@signalbox/contracts/saop";
import { dispatchIdOf, maskTurn, type Redactor } from "@signalbox/core";
import {
  type BatchTransaction,
  findTurns,
  type FoundTurn,
  insertEvents,
  insertTurns,
  type NewEvent,
  type NewTurn,
  type ReportedDispatch,
  type TurnKey,
} from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { keyOf, loadReporting, type Report, requireReporting } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";

export type TurnReport = Report & { readonly turn: TurnEnvelope; readonly fingerprint: string };

const turnKey = (report: TurnReport): TurnKey => ({ ...keyOf(report), turnIndex: report.turn.turn_index });
const turnText = (key: TurnKey): string => `${key.tenantId}/${dispatchIdOf(key)}/${key.turnIndex}`;

/** Another node was told of the same turn at the same moment: nothing of the transaction is kept, and the next finds it. */
const overtaken = new Error("a turn that was not on file was kept by somebody else meanwhile");

/** Turns of any number of agents in one transaction. One that is refused is refused alone. */
export async function writeTurns(
  engine: Engine,
  reports: readonly TurnReport[],
): Promise<Outcome<ReceivedReport>[]> {
  for (;;) {
    try {
      return await writeTogether(engine, reports);
    } catch (error) {
      if (error !== overtaken) throw error;
    }
  }
}

function writeTogether(engine: Engine, reports: readonly TurnReport[]): Promise<Outcome<ReceivedReport>[]> {
  const tenantIds = [...new Set(reports.map(({ caller }) => caller.tenantId))];
  return engine.database.inTenants(tenantIds, async (tx) => {
    const [reporting, found] = await Promise.all([
      loadReporting(engine, tx, reports),
      findTurns(tx, [...new Map(reports.map(turnKey).map((key) => [turnText(key), key])).values()]),
    ]);
    const known = new Map<string, Known>(found.map((row) => [turnText(row), row]));
    const fresh = new Map<string, { row: NewTurn; news: NewEvent }>();
    const answered = reports.map((report): Outcome<ReceivedReport> => {
      try {
        const { dispatch, redactor } = requireReporting(reporting, report);
        return done(take(known, fresh, { report, dispatch, redactor }));
      } catch (error) {
        if (error instanceof SignalboxError) return refuse(error);
        throw error;
      }
    });
    await write(tx, [...fresh.values()]);
    return answered;
  });
}

type Known = Pick<FoundTurn, "fingerprint" | "receivedAt">;
type Taken = {
  readonly report: TurnReport;
  readonly dispatch: ReportedDispatch;
  readonly redactor: Redactor;
};

function take(
  known: Map<string, Known>,
  fresh: Map<string, { row: NewTurn; news: NewEvent }>,
  { report, dispatch, redactor }: Taken,
): ReceivedReport {
  const text = turnText(turnKey(report));
  const before = known.get(text);
  if (before !== undefined) return again(before, report);
  known.set(text, { fingerprint: report.fingerprint, receivedAt: dispatch.now });
  fresh.set(text, turnRows(report, dispatch, redactor));
  return { receivedAt: new Date(dispatch.now) };
}

/** SAOP-12, and what readers are told of it. */
function turnRows(report: TurnReport, { stageId }: ReportedDispatch, redactor: Redactor) {
  const { dispatchId, turn, fingerprint } = report;
  const key = turnKey(report);
  const masked = maskTurn(redactor, turn);
  const row: NewTurn = {
    ...key,
    stageId,
    confidence: turn.metadata.confidence,
    fingerprint,
    turn: JSON.stringify(masked.value),
    marks: JSON.stringify(masked.marks),
  };
  const { attemptNumber, turnIndex } = key;
  const head = JSON.stringify({ stageId, dispatchId, attemptNumber, turnIndex, marks: masked.marks });
  const news: NewEvent = {
    tenantId: key.tenantId,
    pipelineId: key.pipelineId,
    kind: "turn.reported",
    payload: `${head.slice(0, -1)},"turn":${row.turn}}`,
  };
  return { row, news };
}

function again(before: Known, { turn, fingerprint }: TurnReport): ReceivedReport {
  if (before.fingerprint === fingerprint) return { receivedAt: new Date(before.receivedAt) };
  throw new SignalboxError(
    "IDEMPOTENCY_KEY_REUSED",
    `Turn ${turn.turn_index} was reported with other content.`,
    {
      violations: [
        {
          field: "turn_index",
          rule: "unique",
          message: `${turn.turn_index} is another turn of this dispatch; the same turn again is the same in every field`,
        },
      ],
    },
  );
}

async function write(
  tx: BatchTransaction,
  fresh: readonly { readonly row: NewTurn; readonly news: NewEvent }[],
): Promise<void> {
  const [kept] = await Promise.all([
    insertTurns(
      tx,
      fresh.map(({ row }) => row),
    ),
    insertEvents(
      tx,
      fresh.map(({ news }) => news),
    ),
  ]);
  if (kept.length < fresh.length) throw overtaken;
}
