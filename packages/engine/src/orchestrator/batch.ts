import { insertKeptAnswers } from "@signalbox/db";
import type { TransactionCounts } from "../registry/open-counts.ts";
import { decideStandings, decideWork, sendReady } from "./decide-batch.ts";
import type { WantedRefs } from "./dispatch-ready.ts";
import { type Draft, isUntouched, keyText, type PipelineKey } from "./draft.ts";
import { type Batch, openBatch } from "./open-batch.ts";
import type { Orchestrator } from "./orchestrator.ts";
import { standingInLine } from "./rows.ts";
import { done, type Outcome, type Work } from "./work.ts";
import { writeDrafts } from "./write-drafts.ts";

export type BatchOutcome = {
  /** In the order of the works; undefined for a sweep whose pipeline somebody else is at work on. */
  readonly outcomes: readonly (Outcome<unknown> | undefined)[];
  readonly wanted: readonly (PipelineKey & WantedRefs)[];
};

/**
 * Works on many pipelines in one transaction: locks them, decides on everything that is asked of them, sends what became
 * READY, and writes state, audit entries and events together. It commits whole or not at all, and only then is anybody
 * answered or any memory of it kept.
 */
export async function runBatch(orchestrator: Orchestrator, works: readonly Work[]): Promise<BatchOutcome> {
  const { registries, cache } = orchestrator;
  const counts = registries.counts();
  const drafts = new Map<string, Draft>();
  const committed = await commitBatch(orchestrator, works, drafts, counts).catch((error: unknown) => {
    counts.undone();
    for (const { key, sent } of drafts.values()) {
      cache.forget(key);
      for (const { handedTo } of sent) handedTo?.failed();
    }
    throw error;
  });
  counts.committed();
  for (const draft of drafts.values()) settle(orchestrator, draft);
  const { quarantined, now } = committed;
  orchestrator.onCommitted({ drafts: [...drafts.values()], quarantined, now });
  for (const { key, error } of committed.blocked) orchestrator.onBlocked(error, key);
  return committed;
}

const commitBatch = (
  orchestrator: Orchestrator,
  works: readonly Work[],
  drafts: Map<string, Draft>,
  counts: TransactionCounts,
): Promise<BatchOutcome & Pick<Batch, "blocked" | "quarantined" | "now">> =>
  orchestrator.database.inTenants([...new Set(works.map(({ key }) => key.tenantId))], async (tx) => {
    const batch = await openBatch(orchestrator, tx, works, drafts, counts);
    const decided = new Map<Work, Outcome<unknown> | undefined>();
    for (const round of roundsOf(works)) {
      const standings = await decideStandings(batch, round);
      for (const work of round) decided.set(work, decideWork(batch, work, standings.get(work)));
    }
    const wanted = sendReady(orchestrator, batch, works);
    const outcomes = works.map((work) => concluded(batch, work, decided.get(work)));
    await insertKeptAnswers(
      tx,
      works.flatMap((work) => work.keeps?.() ?? []),
    );
    await writeDrafts(batch, orchestrator);
    const { blocked, quarantined, now } = batch;
    return { outcomes, wanted, blocked, quarantined, now };
  });

/**
 * Works on one pipeline are decided one after the other, each on what the one before made of it: what a report or an
 * answer says of an instance counts only where it was not too late.
 */
function roundsOf(works: readonly Work[]): Work[][] {
  const rounds: Work[][] = [];
  const seen = new Map<string, number>();
  for (const work of works) {
    const key = keyText(work.key);
    const place = seen.get(key) ?? 0;
    seen.set(key, place + 1);
    (rounds[place] ??= []).push(work);
  }
  return rounds;
}

function concluded(
  { drafts }: Batch,
  work: Work,
  decided: Outcome<unknown> | undefined,
): Outcome<unknown> | undefined {
  const draft = drafts.get(keyText(work.key));
  if (work.kind === "beginning" || work.conclude === undefined || draft === undefined) return decided;
  return decided?.ok === true ? done(work.conclude(draft)) : decided;
}

function settle({ cache, depths, inboxes, wake, onCancelled }: Orchestrator, draft: Draft): void {
  if (isUntouched(draft)) return;
  const { key, before, state, task, traceId, sent, cancelled } = draft;
  cache.keep(key, { state, task, traceId });
  for (const taskType of standingInLine(before)) depths.add(key.tenantId, taskType, -1);
  for (const taskType of standingInLine(state)) depths.add(key.tenantId, taskType, 1);
  for (const { dispatch, handedTo } of sent) {
    if (handedTo === undefined) inboxes.arrived(key.tenantId, dispatch);
    else handedTo.committed();
  }
  if (cancelled.length > 0) onCancelled(key.tenantId, cancelled);
  wake(key.tenantId);
}
