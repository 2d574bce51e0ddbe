import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";
import { TURN_KEY, type TurnKey } from "./turn-streams.ts";

export interface NewTurn extends TurnKey {
  stageId: string;
  confidence: number;
  /** In hexadecimal. */
  fingerprint: string;
  turn: string;
  marks: string;
}

/** The first turn that came under its index is kept; gives the keys of those that this call kept. */
export async function insertTurns(tx: BatchTransaction, rows: readonly NewTurn[]): Promise<TurnKey[]> {
  if (rows.length === 0) {
    return [];
  }
  const shape = { ...TURN_KEY, stageId: "text", confidence: "float8", fingerprint: "text" } as const;
  const kept = await queriesOf(tx).execute<TurnKey & Record<string, unknown>>(sql`
    insert into signalbox.turns
      (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, stage_id, confidence, fingerprint, turn, marks)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "turnIndex", "stageId", confidence,
      decode(fingerprint, 'hex'), turn, marks
    from ${recordset(rows, shape, ["turn", "marks"])}
    order by 1, 2, 3, 4, 5
    on conflict do nothing
    returning tenant_id as "tenantId", pipeline_id as "pipelineId", stage_order as "stageOrder",
      attempt_number as "attemptNumber", turn_index as "turnIndex"`);
  return Array.from(kept);
}

export interface FoundTurn extends TurnKey {
  fingerprint: string;
  receivedAt: number;
}

export async function findTurns(tx: BatchTransaction, keys: readonly TurnKey[]): Promise<FoundTurn[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<FoundTurn & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.turn_index as "turnIndex", encode(own.fingerprint, 'hex') as fingerprint,
      ${epochMs(sql`own.received_at`)} as "receivedAt"
    from ${recordset(keys, TURN_KEY)}
    join signalbox.turns own
      on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
      and own.turn_index = given."turnIndex"`);
  return Array.from(found);
}

export interface TurnConfidence extends TurnKey {
  confidence: number;
}

/** What the last turns of these dispatches claimed, so many of each. */
export async function lastConfidences(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
  most: number,
): Promise<TurnConfidence[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<TurnConfidence & Record<string, unknown>>(sql`
    select given."tenantId", given."pipelineId", given."stageOrder", given."attemptNumber",
      last.turn_index as "turnIndex", last.confidence
    from ${recordset(keys, DISPATCH_KEY)}
    cross join lateral (
      select turn_index, confidence from signalbox.turns
      where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
        and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
      order by turn_index desc limit ${most}
    ) last`);
  return Array.from(found);
}
