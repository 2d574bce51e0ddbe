import {
  type Aggregate,
  type AggregateKey,
  aggregateKeys,
  canonicalJson,
  emptyAggregate,
  foldSignal,
  judgeProposal,
  learningEvent,
  learningScopes,
  type Proposal,
  propose,
  type SapSection,
  type Signal,
  subjectOf,
} from "@signalbox/core";
import {
  activeVersion,
  decideSapProposal,
  dueLearners,
  findSapAggregates,
  insertSapProposal,
  newestSapProposals,
  noteLearnt,
  saveSapAggregates,
  type StoredSapProposal,
  type StoredSapSignal,
  takeSapSignals,
  type TenantTransaction,
} from "@signalbox/db";
import { ActorType, SignalboxError } from "@signalbox/contracts";
import type { Engine } from "../../engine.ts";
import { record } from "../../record.ts";
import { tell } from "../../stream/tell.ts";
import { reach, transact } from "../../transaction.ts";
import { sha256 } from "../prepare-task.ts";
import { proposalMade } from "./entries.ts";

const SIGNALS_AT_ONCE = 500;
const TENANTS_AT_ONCE = 100;
/** A round's bound for one tenant: what is left is the next round's, and no tenant keeps the others waiting. */
const MOST_STEPS = 4;
const EVERY_MS = 2_000;
/** No request asked for it. */
const requestId = "learning";

type OnFailure = (reason: unknown) => void;

/**
 * Learns from what came since, tenant by tenant, in short transactions. Any node may; of a tenant one at a time does. One
 * whose signals cannot be learnt from keeps none of the others waiting.
 */
export async function learnFromSignals(engine: Engine, onFailure: OnFailure): Promise<void> {
  const due = await reach(engine, () => dueLearners(engine.database, TENANTS_AT_ONCE));
  for (const tenantId of due) {
    try {
      await learnOf(engine, tenantId);
    } catch (error) {
      if (error instanceof SignalboxError && error.code === "UNAVAILABLE") throw error;
      onFailure(error);
    }
  }
}

async function learnOf(engine: Engine, tenantId: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const learnt = await transact(engine, tenantId, (tx) => learnSome(engine, tx));
    if (learnt < SIGNALS_AT_ONCE) return;
  }
}

export function keepLearning(engine: Engine, onFailure: OnFailure): () => void {
  let running = false;
  return engine.clock.repeat(EVERY_MS, () => {
    if (running) return;
    running = true;
    learnFromSignals(engine, onFailure)
      .catch(onFailure)
      .finally(() => {
        running = false;
      });
  });
}

const nameOf = ({ scope, capability, territory, fingerprint }: AggregateKey): string =>
  JSON.stringify([scope, capability, territory, fingerprint]);

/** Takes the next signals into the aggregates, and puts to people what these suggest now. */
async function learnSome(engine: Engine, tx: TenantTransaction): Promise<number> {
  const signals = await takeSapSignals(tx, SIGNALS_AT_ONCE);
  const last = signals.at(-1);
  if (last === undefined) return 0;
  const keys = new Map(signals.flatMap(aggregateKeys).map((key) => [nameOf(key), key]));
  const stored = await findSapAggregates(tx, [...keys.values()]);
  const aggregates = new Map(stored.map((one) => [nameOf(keyOf(one)), readAggregate(one.aggregate)]));
  for (const signal of signals) {
    for (const key of aggregateKeys(signal)) {
      const name = nameOf(key);
      const before = aggregates.get(name) ?? emptyAggregate;
      aggregates.set(name, foldSignal(before, key.scope, toldBy(signal)));
    }
  }
  const changed = [...keys].flatMap(([name, key]) => {
    const aggregate = aggregates.get(name);
    return aggregate === undefined ? [] : [{ key, aggregate }];
  });
  await saveSapAggregates(
    tx,
    changed.map(({ key, aggregate }) => ({ ...key, aggregate: JSON.stringify(aggregate) })),
  );
  await noteLearnt(tx, last);
  await tell(tx, learningEvent("learnt"));
  await proposeFrom(engine, tx, changed);
  return signals.length;
}

export function keyOf(row: { scope: string } & Omit<AggregateKey, "scope">): AggregateKey {
  const { capability, territory, fingerprint } = row;
  const scope = learningScopes.find((one) => one === row.scope);
  if (scope === undefined) throw new Error(`an aggregate of the scope ${row.scope} was written elsewhere`);
  return { scope, capability, territory, fingerprint };
}

/** A member that a later version added begins empty. */
export const readAggregate = (text: string): Aggregate => ({ ...emptyAggregate, ...JSON.parse(text) });

function toldBy({ capability, territory, fingerprint, ...row }: StoredSapSignal) {
  const signal: Signal = JSON.parse(row.signal);
  const { taskId, ratedBy: by, recordedAt } = row;
  return { key: { capability, territory, fingerprint }, taskId, by, at: recordedAt.toISOString(), signal };
}

type Changed = { readonly key: AggregateKey; readonly aggregate: Aggregate };

async function proposeFrom(
  engine: Engine,
  tx: TenantTransaction,
  changed: readonly Changed[],
): Promise<void> {
  const inForce = await sectionInForce(engine, tx);
  if (inForce === undefined) return;
  const proposals = changed.flatMap(({ key, aggregate }) => propose(key, aggregate, inForce.section));
  const subjects = proposals.map(({ change }) => subjectOf(change));
  const earlier = new Map((await newestSapProposals(tx, subjects)).map((one) => [one.subject, one] as const));
  for (const proposal of proposals)
    await put(tx, proposal, earlier.get(subjectOf(proposal.change)), inForce.version);
}

/** Undefined where no policy is in force, or one that cannot be read any more: there is nothing to change. */
async function sectionInForce(
  { documents }: Engine,
  tx: TenantTransaction,
): Promise<{ version: string; section: SapSection | undefined } | undefined> {
  const version = await activeVersion(tx, tx.tenantId, "routing-policy");
  if (version === undefined) return undefined;
  try {
    const { policy } = await documents.load(tx, tx.tenantId, "routing-policy", version);
    return { version, section: policy.sap };
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}

async function put(
  tx: TenantTransaction,
  proposal: Proposal,
  earlier: StoredSapProposal | undefined,
  policyVersion: string,
): Promise<void> {
  const digest = sha256(canonicalJson(proposal.change));
  const before =
    earlier === undefined
      ? undefined
      : { digest: earlier.digest, state: earlier.decision?.word ?? ("open" as const) };
  const judged = judgeProposal(digest, before);
  if (judged === "nothing") return;
  if (judged === "supersede" && earlier !== undefined) {
    const superseded = await decideSapProposal(tx, {
      proposalId: earlier.proposalId,
      word: "superseded",
      byType: ActorType.ORCHESTRATOR,
      by: "signalbox",
      reason: "Newer signals suggest something else about the same.",
      policyVersion: null,
    });
    // Somebody decided it this very moment: what they said counts, and the next signal asks anew.
    if (!superseded) return;
  }
  const subject = subjectOf(proposal.change);
  const text = JSON.stringify(proposal);
  const made = { kind: proposal.change.kind, subject, digest, proposal: text, policyVersion };
  const proposalId = await insertSapProposal(tx, made);
  await record(tx, proposalMade({ tenantId: tx.tenantId, requestId }, proposalId, proposal));
  await tell(tx, learningEvent("proposed", { proposalId }));
}
