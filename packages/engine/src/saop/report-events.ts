import type { Event } from "@signalbox/contracts/saop";
import { commitIn, readDispatchId, readEvents } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import { authoriseForSomePack } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import type { Outcome } from "../orchestrator/work.ts";
import { type GroupCommit, groupCommit } from "../registry/group-commit.ts";
import { refuseHalfPairs } from "../storable.ts";
import type { Asked } from "../system.ts";
import { reach } from "../transaction.ts";
import { canonicalJson } from "./canonical-json.ts";
import { noteCommit } from "./note-commit.ts";
import { unknownDispatch } from "./reported-dispatches.ts";
import { type EventReport, writeEvents } from "./write-events.ts";

export type ReceivedReport = { readonly receivedAt: Date };

const MOST_IN_ONE_COMMIT = 100;
const MOST_WAITING = 20_000;

type Writer = GroupCommit<EventReport, Outcome<ReceivedReport>>;
const writers = new WeakMap<Database, Writer>();

/**
 * SAOP §2: what an attempt emits while it is at work. The batch is kept whole or not at all; the same events again are
 * answered as the first time. Answered after the commit.
 */
export async function reportEvents(
  engine: Engine,
  { caller }: Asked,
  dispatchId: string,
  said: readonly unknown[],
): Promise<ReceivedReport> {
  // Whoever may report on no pack's dispatch is told nothing of which there are.
  authoriseForSomePack(caller, "dispatch.report");
  const events = readEvents(said);
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const outcome = await writerOf(engine).submit({
    caller,
    dispatchId,
    place,
    events: events.map((event) => ({ event, fingerprint: fingerprintOf(engine, event) })),
  });
  if (!outcome.ok) throw outcome.error;
  const gitHash = commitIn(events);
  if (gitHash !== undefined)
    await noteCommit(engine, { by: caller.actor, tenantId: caller.tenantId, dispatchId, place, gitHash });
  return outcome.value;
}

function fingerprintOf({ database }: Engine, event: Event): string {
  const text = canonicalJson(event);
  refuseHalfPairs(text);
  return Buffer.from(database.seal.fingerprint(text)).toString("hex");
}

function writerOf(engine: Engine): Writer {
  const known = writers.get(engine.database);
  if (known !== undefined) return known;
  const writer: Writer = groupCommit({
    write: (reports) => reach(engine, () => writeEvents(engine, reports)),
    most: MOST_IN_ONE_COMMIT,
    bound: MOST_WAITING,
  });
  writers.set(engine.database, writer);
  return writer;
}
