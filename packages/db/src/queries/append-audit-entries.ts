import { sql, type SQL } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

/** What the app may say of an entry. Its id, time, transaction and salt are the database's (D19). */
export interface NewAuditEntry {
  /** AuditEventType's number. */
  eventType: number;
  actor: { type: number; id: string };
  traceId?: string | undefined;
  pipelineId?: string | undefined;
  stageId?: string | undefined;
  dispatchId?: string | undefined;
  attemptNumber?: number | undefined;
  packId?: string | undefined;
  /** The AuditEntry's JSON without what the database gives; kept byte for byte. */
  payload: string;
}

export interface BatchAuditEntry extends NewAuditEntry {
  tenantId: string;
}

const ENTRY = {
  tenantId: "text",
  eventType: "int",
  actorType: "int",
  actorId: "text",
  traceId: "text",
  pipelineId: "text",
  stageId: "text",
  dispatchId: "text",
  attemptNumber: "int",
  packId: "text",
} as const;

/** Entries of any of the batch's tenants. Gives nothing back: on the hot path nobody asks for their ids. */
export async function appendAuditBatch(
  tx: BatchTransaction,
  entries: readonly BatchAuditEntry[],
): Promise<void> {
  if (entries.length > 0) {
    await queriesOf(tx).execute(insertOf(entries));
  }
}

/** One statement for a batch: a hundred entries cost little more than one. */
export function insertOf(entries: readonly BatchAuditEntry[]): SQL {
  const rows = entries.map((entry) => ({ ...entry, actorType: entry.actor.type, actorId: entry.actor.id }));
  return sql`
    insert into signalbox.audit_entries
      (tenant_id, event_type, actor_type, actor_id, trace_id, pipeline_id, stage_id, dispatch_id, attempt_number, pack_id, payload)
    select "tenantId", "eventType", "actorType", "actorId", "traceId", "pipelineId", "stageId", "dispatchId",
      "attemptNumber", "packId", payload
    from ${recordset(rows, ENTRY, ["payload"])}`;
}
