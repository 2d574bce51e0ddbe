import { SignalboxError } from "@signalbox/contracts";
import type { TurnEnvelope } from "@signalbox/contracts/saop";
import {
  confidenceText,
  dispatchIdOf,
  judgeConfidence,
  maskTurn,
  type Redactor,
  TREND_TURNS,
} from "@signalbox/core";
import {
  type BatchTransaction,
  type Database,
  type DispatchKey,
  findTurns,
  type FoundTurn,
  insertEvents,
  insertTurns,
  lastConfidences,
  type NewEvent,
  type NewTurn,
  type ReportedDispatch,
  type TurnKey,
} from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { type KeptTurn, keyText } from "../orchestrator/draft.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { confidenceWatches } from "./confidence-watches.ts";
import { keyOf, loadReporting, type Report, requireReporting } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";

export type TurnReport = Report & { readonly turn: TurnEnvelope; readonly fingerprint: string };

const turnKey = (report: TurnReport): TurnKey => ({ ...keyOf(report), turnIndex: report.turn.turn_index });
const turnText = (key: TurnKey): string => `${key.tenantId}/${dispatchIdOf(key)}/${key.turnIndex}`;

/** Another node was told of the same turn at the same moment: nothing of the transaction is kept, and the next finds it. */
const overtaken = new Error("a turn that was not on file was kept by somebody else meanwhile");

/** A turn that is doubted is not kept yet: a question is to be asked in the transaction that keeps it. */
export type DoubtedTurn = { readonly problem: string; readonly turn: KeptTurn };
export type WrittenTurn = ReceivedReport | DoubtedTurn;

/** Turns of any number of agents in one transaction. One that is refused is refused alone. */
export async function writeTurns(
  engine: Engine,
  reports: readonly TurnReport[],
): Promise<Outcome<WrittenTurn>[]> {
  for (;;) {
    try {
      return await writeTogether(engine, reports);
    } catch (error) {
      if (error !== overtaken) throw error;
    }
  }
}

function writeTogether(engine: Engine, reports: readonly TurnReport[]): Promise<Outcome<WrittenTurn>[]> {
  const tenantIds = [...new Set(reports.map(({ caller }) => caller.tenantId))];
  return engine.database.inTenants(tenantIds, async (tx) => {
    const [reporting, found] = await Promise.all([
      loadReporting(engine, tx, reports),
      findTurns(tx, [...new Map(reports.map(turnKey).map((key) => [turnText(key), key])).values()]),
    ]);
    const known = new Map<string, Known>(found.map((row) => [turnText(row), row]));
    const fresh = new Map<string, KeptTurn>();
    const answered = reports.map((report): Outcome<ReceivedReport> => {
      try {
        const { dispatch, redactor } = requireReporting(reporting, report);
        return done(take(known, fresh, { report, dispatch, redactor }));
      } catch (error) {
        if (error instanceof SignalboxError) return refuse(error);
        throw error;
      }
    });
    const doubts = await findDoubts(engine.database, tx, [...fresh.values()]);
    await write(
      tx,
      [...fresh.values()].filter((turn) => !doubts.has(turn)),
    );
    return answered.map((answer, index): Outcome<WrittenTurn> => {
      const report = reports[index];
      const turn = answer.ok && report !== undefined ? fresh.get(turnText(turnKey(report))) : undefined;
      const problem = turn === undefined ? undefined : doubts.get(turn);
      return turn === undefined || problem === undefined ? answer : done({ problem, turn });
    });
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
  fresh: Map<string, KeptTurn>,
  { report, dispatch, redactor }: Taken,
): ReceivedReport {
  const text = turnText(turnKey(report));
  const before = known.get(text);
  if (before !== undefined) return again(before, report);
  known.set(text, { fingerprint: report.fingerprint, receivedAt: dispatch.began });
  fresh.set(text, turnRows(report, dispatch, redactor));
  return { receivedAt: new Date(dispatch.began) };
}

/** SAOP-12, and what readers are told of it. */
function turnRows(report: TurnReport, { stageId }: ReportedDispatch, redactor: Redactor): KeptTurn {
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

async function write(tx: BatchTransaction, fresh: readonly KeptTurn[]): Promise<void> {
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

/** D17: which of the turns that are about to be kept are doubted, and why, each on what came before it. */
async function findDoubts(
  database: Database,
  tx: BatchTransaction,
  fresh: readonly KeptTurn[],
): Promise<ReadonlyMap<KeptTurn, string>> {
  const watches = await confidenceWatches(
    database,
    tx,
    fresh.map(({ row }) => row),
  );
  const watchOf = ({ row }: KeptTurn) => watches.get(keyText(row))?.[row.stageOrder] ?? null;
  const watched = fresh.filter((turn) => watchOf(turn) !== null);
  const dispatches = new Map(watched.map(({ row }) => [attemptText(row), row]));
  const before = await lastConfidences(tx, [...dispatches.values()], TREND_TURNS);
  const claimed = Map.groupBy(before, attemptText);
  const doubts = new Map<KeptTurn, string>();
  for (const turn of watched) {
    const text = attemptText(turn.row);
    const turns = [...(claimed.get(text) ?? []), turn.row];
    claimed.set(text, turns);
    const verdict = judgeConfidence(watchOf(turn) ?? unwatched, turns);
    if (verdict.kind !== "steady") doubts.set(turn, confidenceText(verdict));
  }
  return doubts;
}

const unwatched = { floor: null, fallPerTurn: null };
const attemptText = (key: DispatchKey): string => `${key.tenantId}/${dispatchIdOf(key)}`;
