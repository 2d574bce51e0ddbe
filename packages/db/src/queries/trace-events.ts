import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { recordset } from "./recordset.ts";
import { TURN_KEY, type TurnKey } from "./turn-streams.ts";

export interface NewTraceEvent extends TurnKey {
  sequence: number;
  eventId: string;
  stageId: string;
  type: string;
  /** In hexadecimal. */
  fingerprint: string;
  event: string;
}

/** Under the locks of their turns' streams: what is there already was told by somebody else under another turn. */
export async function insertTraceEvents(tx: BatchTransaction, rows: readonly NewTraceEvent[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const shape = {
    ...TURN_KEY,
    sequence: "int",
    eventId: "text",
    stageId: "text",
    type: "text",
    fingerprint: "text",
  } as const;
  await queriesOf(tx).execute(sql`
    insert into signalbox.trace_events
      (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, sequence, event_id, stage_id, type, fingerprint, event)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "turnIndex", sequence, "eventId"::uuid, "stageId", type,
      decode(fingerprint, 'hex'), event
    from ${recordset(rows, shape, ["event"])}
    on conflict do nothing`);
}

export interface EventKey extends DispatchKey {
  eventId: string;
}

/** Those of these events that were kept before, with what tells them from others of the same id. */
export async function findTraceEvents(
  tx: BatchTransaction,
  keys: readonly EventKey[],
): Promise<(EventKey & { fingerprint: string })[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<EventKey & { fingerprint: string } & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.event_id::text as "eventId", encode(own.fingerprint, 'hex') as fingerprint
    from ${recordset(keys, { ...DISPATCH_KEY, eventId: "text" })}
    join signalbox.trace_events own
      on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
      and own.event_id = given."eventId"::uuid`);
  return Array.from(found);
}
