import { SignalboxError } from "@signalbox/contracts";
import { GOOD_STANDING, type RefreshOutcome, type StandingDecision } from "@signalbox/core";
import { bumpRegistries } from "@signalbox/db";
import { applyStanding } from "../registry/standing.ts";
import { dispatchReady, type WantedRefs } from "./dispatch-ready.ts";
import { type Draft, keyText, openDraft, type PipelineKey, takeEffects } from "./draft.ts";
import { aroundOf, type Batch } from "./open-batch.ts";
import type { Orchestrator } from "./orchestrator.ts";
import { openStep } from "./step.ts";
import { type Beginning, done, type Outcome, refuse, type Work } from "./work.ts";

/**
 * What the works say of instances' standings (D7), decided before any pipeline is: a pipeline must know whether its
 * instance was quarantined. Few batches have any; only those take the instances' locks.
 */
export async function decideStandings(
  batch: Batch,
  works: readonly Work[],
): Promise<ReadonlyMap<Work, StandingDecision>> {
  const asked = works.flatMap((work) => {
    const draft = batch.drafts.get(keyText(work.key));
    if (work.kind === "beginning" || draft === undefined) return [];
    const question = unlessRefused(() => work.concerns?.(draft, aroundOf(batch, work.key)));
    if (question === undefined) return [];
    return { work, item: { ...question, tenantId: work.key.tenantId, requestId: draft.traceId } };
  });
  if (asked.length === 0) return new Map();
  const tenantIds = [...new Set(asked.map(({ item }) => item.tenantId))];
  const changes = await bumpRegistries(batch.tx, tenantIds);
  const decisions = await applyStanding(batch.tx, {
    changes,
    now: batch.now,
    items: asked.map(({ item }) => item),
  });
  for (const [index, { item }] of asked.entries()) {
    const decision = decisions[index];
    if (decision?.kind !== "quarantined" && decision?.kind !== "restored") continue;
    batch.registries.get(item.tenantId)?.registry.stands(item, decision.health);
    if (decision.kind === "quarantined") batch.quarantined.push(item);
  }
  return new Map(
    asked.map(({ work }, index) => [
      work,
      decisions[index] ?? { kind: "unchanged", standing: GOOD_STANDING },
    ]),
  );
}

/** What refuses the work is told when the work itself is decided. */
function unlessRefused<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}

export function decideWork(
  batch: Batch,
  work: Work,
  decided: StandingDecision | undefined,
): Outcome<unknown> | undefined {
  if (work.kind === "beginning") return begin(batch, work);
  const draft = batch.drafts.get(keyText(work.key));
  if (draft === undefined) {
    if (work.way === "sweep") return undefined;
    return refuse(new SignalboxError("NOT_FOUND", `There is no pipeline "${work.key.pipelineId}".`));
  }
  const before = draft.state;
  const recorded = draft.facts.length;
  try {
    return work.decide(openStep(aroundOf(batch, work.key), draft, decided));
  } catch (error) {
    // Only a refusal that came before any decision is an answer: anything else must not be half committed.
    if (!(error instanceof SignalboxError) || draft.state !== before || draft.facts.length > recorded)
      throw error;
    return refuseWork(batch, work, error);
  }
}

function refuseWork(batch: Batch, { key }: Work, error: SignalboxError): Outcome<unknown> {
  if (error.code === "REDACTION_FAILED") batch.blocked.push({ key, error });
  return refuse(error);
}

function begin(batch: Batch, work: Beginning): Outcome<unknown> {
  try {
    const begun = work.begin(aroundOf(batch, work.key));
    if ("ok" in begun) return begun;
    const { held, effects, task, value } = begun;
    const draft = openDraft(work.key, held, task);
    takeEffects(draft, effects);
    batch.drafts.set(keyText(work.key), draft);
    return done(value);
  } catch (error) {
    if (error instanceof SignalboxError) return refuseWork(batch, work, error);
    throw error;
  }
}

const nothing: ReadonlyMap<string, RefreshOutcome> = new Map();

/** Sends what can be sent of every pipeline of the batch, in the order in which the works came. */
export function sendReady(
  { deliveries, onBroken }: Orchestrator,
  batch: Batch,
  works: readonly Work[],
): (PipelineKey & WantedRefs)[] {
  const wanted: (PipelineKey & WantedRefs)[] = [];
  const seen = new Set<Draft>();
  for (const work of works) {
    const draft = batch.drafts.get(keyText(work.key));
    if (draft === undefined || seen.has(draft)) continue;
    seen.add(draft);
    const step = openStep(aroundOf(batch, work.key), draft);
    const atHead = work.kind === "change" && work.atHead === true;
    const refreshed = (work.kind === "change" ? work.refreshed : undefined) ?? nothing;
    const refs = dispatchReady(step, { deliveries, atHead, refreshed, onBroken });
    for (const { stageId, refs: stale } of refs) wanted.push({ ...work.key, stageId, refs: stale });
  }
  return wanted;
}
