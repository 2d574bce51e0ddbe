import { type DispatchPlace, readDispatchId, readTurn } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import { authoriseForSomePack } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";
import { type GroupCommit, groupCommit } from "../registry/group-commit.ts";
import { refuseHalfPairs } from "../storable.ts";
import type { Asked } from "../system.ts";
import { reach, toldIfBlocked } from "../transaction.ts";
import { canonicalJson } from "./canonical-json.ts";
import { knownEventsOf } from "./known-events.ts";
import { dispatchText, staleDispatch, unknownDispatch } from "./reported-dispatches.ts";
import type { ReceivedReport } from "./report-events.ts";
import { type DoubtedTurn, type TurnReport, writeTurns, type WrittenTurn } from "./write-turns.ts";

const MOST_IN_ONE_COMMIT = 100;
const MOST_WAITING = 20_000;

type Writer = GroupCommit<TurnReport, Outcome<WrittenTurn>>;
const writers = new WeakMap<Database, Writer>();

/**
 * SAOP §1: a turn of an attempt, kept verbatim but for its secrets (D16). The same turn again is answered as the first
 * time; another one under its index is refused. Answered after the commit.
 */
export async function reportTurn(
  engine: Engine,
  { caller, requestId, unconfirmedKey }: Asked,
  dispatchId: string,
  said: unknown,
): Promise<ReceivedReport> {
  authoriseForSomePack(caller, "dispatch.report");
  const turn = readTurn(said);
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const text = canonicalJson(turn);
  refuseHalfPairs(text);
  const fingerprint = Buffer.from(engine.database.seal.fingerprint(text)).toString("hex");
  const outcome = await writerOf(engine).submit({
    caller,
    unconfirmedKey,
    dispatchId,
    place,
    turn,
    fingerprint,
  });
  if (!outcome.ok) {
    const of = { tenantId: caller.tenantId, requestId, pipelineId: place.pipelineId };
    throw await toldIfBlocked(engine, { ...of, what: `A turn on dispatch ${dispatchId}` }, outcome.error);
  }
  // Events that name no turn are this one's from now on.
  knownEventsOf(engine.database).attempts.doubt(dispatchText({ tenantId: caller.tenantId, ...place }));
  return "problem" in outcome.value ? askAbout(engine, { dispatchId, place }, outcome.value) : outcome.value;
}

type Reported = { readonly dispatchId: string; readonly place: DispatchPlace };

/** D17: the turn, and the question about it, in one transaction. Once an attempt is asked about, its turns are only kept. */
function askAbout(
  { committer }: Engine,
  { dispatchId, place }: Reported,
  { problem, turn }: DoubtedTurn,
): Promise<ReceivedReport> {
  const { stageOrder, attemptNumber } = place;
  return committer.commit<ReceivedReport>({
    kind: "change",
    way: "command",
    key: { tenantId: turn.row.tenantId, pipelineId: place.pipelineId },
    decide(step) {
      const { stageId } = turn.row;
      const stage = step.draft.state.stages[stageOrder];
      if (stage?.attemptNumber !== attemptNumber) return refuse(staleDispatch(dispatchId));
      // Where it is asked about already, or over, the machine says so, and the turn is kept all the same.
      step.decide({ kind: "confidence-doubted", problem, stageId, dispatchId, attemptNumber });
      step.keepTurn(turn);
      return done({ receivedAt: new Date(step.began) });
    },
  });
}

function writerOf(engine: Engine): Writer {
  const known = writers.get(engine.database);
  if (known !== undefined) return known;
  const writer: Writer = groupCommit({
    write: (reports) => reach(engine, () => writeTurns(engine, reports)),
    most: MOST_IN_ONE_COMMIT,
    bound: MOST_WAITING,
  });
  writers.set(engine.database, writer);
  return writer;
}
