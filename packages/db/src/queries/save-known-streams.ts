import { sql } from "drizzle-orm";
import type { Statement } from "../database.ts";
import { NONCE_BYTES } from "../seal.ts";
import { demanded } from "./demanded.ts";
import { epochMs, recordset } from "./recordset.ts";
import { byTurn, TURN_KEY, type TurnKey } from "./turn-streams.ts";

/** The stream of an attempt's latest turn, and what was judged on: all of it must still be so when it is written. */
export interface KnownStream extends TurnKey {
  /** The seal's nonce of what is replaced: no two that were ever sealed have the same. */
  nonce: Uint8Array;
  sealed: Uint8Array;
  /** Of the tenant's active routing policy. */
  policyVersion: string | null;
}

/**
 * For `commitWith`: takes the streams' locks and saves them, where all is as it was known: the dispatch is open, nobody wrote
 * the stream or began a turn since, the routing policy is the same, and the callers' keys count (`demandCountingKeys`). Where
 * anything is not, the transaction fails (`isUnmetDemand`), and all is judged anew. Gives when the transaction began. The order
 * is that of `lockTurnStreams`.
 */
export function saveOfKnownStreams(rows: readonly KnownStream[], confirmation: Statement): Statement {
  if (rows.length === 0) {
    return undefined;
  }
  const tenants = [...new Map(rows.map((row) => [row.tenantId, row])).values()];
  const shape = { ...TURN_KEY, nonce: "bytea", sealed: "bytea" } as const;
  const tenantShape = { tenantId: "text", policyVersion: "text" } as const;
  return sql`
    with saved as (
      update signalbox.turn_streams own
      set sealed = given.sealed, updated_at = now()
      from ${recordset(rows.toSorted(byTurn), shape)}
      where own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
        and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
        and own.turn_index = given."turnIndex"
        and substr(own.sealed, 1, ${NONCE_BYTES}::int) = given.nonce
        -- In brackets of their own they are asked for each row by its key, where they would else be joined in any order; and with
        -- a limit the first is never looked up among all that there are.
        and (
          (
            select true from signalbox.open_dispatches
            where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
              and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
            limit 1
          )
          and not exists (
            select from signalbox.turn_streams
            where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
              and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
              and turn_index > given."turnIndex"
          )
          and not exists (
            select from signalbox.turns
            where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
              and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
              and turn_index > given."turnIndex"
          )
        ) is true
      returning 1
    )
    select ${epochMs(sql`now()::timestamptz(3)`)} as began
    where (select ${demanded(sql`count(*) = ${rows.length}::int`)} from saved) = 1
      and (select ${demanded(sql`bool_and(policy.version is not distinct from given."policyVersion")`)}
        from ${recordset(tenants, tenantShape)}
        left join signalbox.routing_policies policy
          on policy.tenant_id = given."tenantId" and policy.status = 'active'
      ) = 1
      and (${confirmation ?? sql`select 1`}) = 1`;
}
