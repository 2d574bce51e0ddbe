import { commitIn, type DispatchPlace, readDispatchId, readEvents } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import { authoriseForSomePack } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import type { Outcome } from "../orchestrator/work.ts";
import { type GroupCommit, groupCommit } from "../registry/group-commit.ts";
import { refuseHalfPairsIn } from "../storable.ts";
import type { Asked } from "../system.ts";
import { reach, toldIfBlocked } from "../transaction.ts";
import { noteCommit } from "./note-commit.ts";
import { unknownDispatch } from "./reported-dispatches.ts";
import { type EventReport, eventReport, type Texts } from "./event-desk.ts";
import { writeEvents } from "./write-events.ts";

export type ReceivedReport = { readonly receivedAt: Date };

const MOST_IN_ONE_COMMIT = 100;
const MOST_WAITING = 20_000;
/** While these are written the others come, so that neither the process nor the database waits for the other (ADR 0061). */
const GATHER = { share: 0.63, forMs: 3 };

type Writer = GroupCommit<EventReport, Outcome<ReceivedReport>>;
const writers = new WeakMap<Database, readonly [Writer, Writer]>();

/**
 * SAOP §2: what an attempt emits while it is at work. The batch is kept whole or not at all; the same events again are
 * answered as the first time. Answered after the commit. What was read by `parseJsonAndTexts` comes with its texts, and needs
 * not be printed again.
 */
export async function reportEvents(
  engine: Engine,
  { caller, requestId, unconfirmedKey }: Asked,
  dispatchId: string,
  said: readonly unknown[],
  texts?: Texts,
): Promise<ReceivedReport> {
  // Whoever may report on no pack's dispatch is told nothing of which there are.
  authoriseForSomePack(caller, "dispatch.report");
  const events = readEvents(said);
  if (texts === undefined) refuseHalfPairsIn(events);
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const report = eventReport({ caller, unconfirmedKey, dispatchId, place }, events, texts);
  const outcome = await writerOf(engine, place).submit(report);
  if (!outcome.ok) {
    const of = { tenantId: caller.tenantId, requestId, pipelineId: place.pipelineId };
    throw await toldIfBlocked(engine, { ...of, what: `Events on dispatch ${dispatchId}` }, outcome.error);
  }
  const gitHash = commitIn(events);
  if (gitHash !== undefined)
    await noteCommit(engine, { by: caller.actor, tenantId: caller.tenantId, dispatchId, place, gitHash });
  return outcome.value;
}

/**
 * While one group is at Postgres, the other is at work here. A dispatch is always the same one's, so its reports are
 * judged in the order in which they came.
 */
function writerOf(engine: Engine, { pipelineId }: DispatchPlace): Writer {
  const known = writers.get(engine.database) ?? ([newWriter(engine), newWriter(engine)] as const);
  writers.set(engine.database, known);
  const last = pipelineId.charCodeAt(pipelineId.length - 1);
  return known[last % 2 === 0 ? 0 : 1];
}

const newWriter = (engine: Engine): Writer =>
  groupCommit({
    write: (reports) => reach(engine, () => writeEvents(engine, reports)),
    most: MOST_IN_ONE_COMMIT,
    bound: MOST_WAITING / 2,
    gather: GATHER,
  });
