import {
  type AttemptOutcome,
  type AuditFact,
  dispatchIdOf,
  factOf,
  gateOfAttempt,
  outcomeInSpans,
  readDispatchId,
  type RecordedGate,
} from "@signalbox/core";
import {
  findAttempt,
  listAttemptRecord,
  listAttempts as listAttemptRows,
  type ResultStanding,
  type StoredAttempt,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { unknownDispatch } from "../saop/reported-dispatches.ts";
import { requirePipeline } from "../saop/read-turns.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

/** How the result of an attempt stands; null where none came. */
export type AttemptStanding = ResultStanding | null;

export type AttemptSummary = Omit<StoredAttempt, "spans" | "standing"> & {
  readonly dispatchId: string;
  readonly standing: AttemptStanding;
  /** Null where no result came. */
  readonly outcome: AttemptOutcome | null;
};

/** What a pipeline sent out, by stage and attempt, and how each attempt went. */
export async function listAttempts(
  system: System,
  { caller }: Asked,
  pipelineId: string,
): Promise<readonly AttemptSummary[]> {
  authorise(caller, "trace.read", undefined);
  const rows = await transact(system, caller.tenantId, async (tx) => {
    await requirePipeline(tx, pipelineId);
    return listAttemptRows(tx, pipelineId);
  });
  return rows.map(summaryOf);
}

function summaryOf({ spans, ...row }: StoredAttempt): AttemptSummary {
  const dispatchId = dispatchIdOf(row);
  const outcome = spans === null ? null : outcomeInSpans(JSON.parse(spans), `result of ${dispatchId}`);
  return { ...row, dispatchId, outcome };
}

type AttemptStep = Pick<AuditFact, "action" | "actor" | "rationale"> & {
  readonly auditId: string;
  readonly recordedAt: Date;
};

export type AttemptView = AttemptSummary & {
  /** The TaskEnvelope as it was sent, and the AgentResult as it was kept: the contract's JSON, masked. */
  readonly envelope: unknown;
  readonly result: unknown;
  readonly gate: RecordedGate | null;
  /** What was decided of it, in the order of the record. */
  readonly steps: readonly AttemptStep[];
};

/** One attempt: what was sent, what came back, what the gate found, and what was decided. */
export async function getAttempt(
  system: System,
  { caller }: Asked,
  dispatchId: string,
): Promise<AttemptView> {
  authorise(caller, "trace.read", undefined);
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const { found, record } = await transact(system, caller.tenantId, async (tx) => {
    const row = await findAttempt(tx, place);
    if (row === undefined) throw unknownDispatch(dispatchId);
    return { found: row, record: await listAttemptRecord(tx, row) };
  });
  const { envelope, result, ...row } = found;
  const facts = record.map(({ auditId, recordedAt, payload }) => ({
    auditId,
    recordedAt,
    fact: factOf(JSON.parse(payload)),
  }));
  return {
    ...summaryOf(row),
    envelope: JSON.parse(envelope) as unknown,
    result: result === null ? null : (JSON.parse(result) as unknown),
    gate: gateOfAttempt(
      facts.map(({ fact, recordedAt }) => ({ fact, recordedAt: recordedAt.toISOString() })),
    ),
    steps: facts.map(({ auditId, recordedAt, fact: { action, actor, rationale } }) => ({
      auditId,
      recordedAt,
      action,
      actor,
      rationale,
    })),
  };
}
