import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { eventsOf, holdsType, isOfType } from "./events-of-runs.ts";
import { epochMs } from "./recordset.ts";

export interface DispatchEndRow {
  stageId: string;
  attemptNumber: number;
  endedAt: number;
  /** The entry's action. */
  why: string;
}

/** How those of a pipeline's dispatches ended that were taken from their agents, in the order of the record. */
export async function listDispatchEnds(
  tx: TenantTransaction,
  pipelineId: string,
  eventTypes: readonly number[],
): Promise<DispatchEndRow[]> {
  const found = await queriesOf(tx).execute<DispatchEndRow & Record<string, unknown>>(sql`
    select stage_id as "stageId", attempt_number as "attemptNumber", ${epochMs(sql`recorded_at`)} as "endedAt",
      payload::json ->> 'action' as why
    from signalbox.audit_entries
    where tenant_id = ${tx.tenantId} and pipeline_id = ${pipelineId} and stage_id is not null
      and event_type = any(string_to_array(${eventTypes.join(",")}, ',')::int[])
    order by recorded_at, audit_id`);
  return Array.from(found);
}

export interface ToolEventRow {
  stageOrder: number;
  attemptNumber: number;
  turnIndex: number;
  sequence: number;
  completed: boolean;
  callId: string;
  tool: string;
  /** What the agent says of the end of a call. */
  status: string | null;
  claimedMs: number | null;
  heardAt: number;
}

const TOOL_EVENTS = ["TOOL_LIFECYCLE_INVOKED", "TOOL_LIFECYCLE_COMPLETED"];

/** What a pipeline's agents told of their calls of tools, attempt by attempt in the order of turns and events. */
export async function listToolEvents(
  tx: TenantTransaction,
  pipelineId: string,
  most: number,
): Promise<ToolEventRow[]> {
  const found = await queriesOf(tx).execute<ToolEventRow & Record<string, unknown>>(sql`
    select stage_order as "stageOrder", attempt_number as "attemptNumber", turn_index as "turnIndex", sequence,
      said ->> 'type' = 'TOOL_LIFECYCLE_COMPLETED' as completed, said ->> 'call_id' as "callId", said ->> 'tool' as tool,
      said ->> 'status' as status, (said ->> 'duration_ms')::float8 as "claimedMs", ${epochMs(sql`received_at`)} as "heardAt"
    from (
      select run.*, first_sequence + own.place::int - 1 as sequence, own.event -> 'payload' as said
      from (
        select * from signalbox.trace_runs
        where tenant_id = ${tx.tenantId} and pipeline_id = ${pipelineId} and ${holdsType(TOOL_EVENTS)}
        order by stage_order, attempt_number, turn_index, first_sequence
        limit ${most}::int
      ) as run
      cross join ${eventsOf(sql`run`)}
      where ${isOfType(TOOL_EVENTS)}
    ) as told
    order by stage_order, attempt_number, turn_index, sequence
    limit ${most}::int`);
  return Array.from(found);
}
