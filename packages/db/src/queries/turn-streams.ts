import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import type { turnStreams } from "../schema/turn-streams.ts";
import { byAttempt, DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

export interface TurnKey extends DispatchKey {
  turnIndex: number;
}

export const TURN_KEY = { ...DISPATCH_KEY, turnIndex: "int" } as const;

export const byTurn = (one: TurnKey, other: TurnKey): number =>
  byAttempt(one, other) || one.turnIndex - other.turnIndex;

export type LockedTurnStream = TurnKey & Pick<typeof turnStreams.$inferSelect, "sealed">;

/**
 * Takes the streams' locks, begun ones and new ones alike, so that what two nodes report of one turn is judged one after
 * the other: in the order of `byTurn`, as everywhere. An insert that finds the row writes it as it is, for only that locks
 * it and gives it in one statement.
 */
export async function lockTurnStreams(
  tx: BatchTransaction,
  keys: readonly TurnKey[],
): Promise<LockedTurnStream[]> {
  if (keys.length === 0) {
    return [];
  }
  const locked = await queriesOf(tx).execute<LockedTurnStream & Record<string, unknown>>(sql`
    insert into signalbox.turn_streams as own (tenant_id, pipeline_id, stage_order, attempt_number, turn_index)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "turnIndex"
    from ${recordset(keys.toSorted(byTurn), TURN_KEY)}
    on conflict (tenant_id, pipeline_id, stage_order, attempt_number, turn_index) do update set updated_at = own.updated_at
    returning tenant_id as "tenantId", pipeline_id as "pipelineId", stage_order as "stageOrder",
      attempt_number as "attemptNumber", turn_index as "turnIndex", sealed`);
  return Array.from(locked);
}

export function saveOfTurnStreams(rows: readonly (TurnKey & { sealed: Uint8Array })[]): Statement {
  if (rows.length === 0) {
    return undefined;
  }
  return sql`
    update signalbox.turn_streams own
    set sealed = given.sealed, updated_at = now()
    from ${recordset(rows, { ...TURN_KEY, sealed: "bytea" })}
    where own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
      and own.turn_index = given."turnIndex"`;
}
