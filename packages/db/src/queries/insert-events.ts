import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

export interface NewEvent {
  tenantId: string;
  pipelineId: string | null;
  kind: string;
  payload: string;
}

/** A transaction's events are numbered: a second call in it goes on where the first one stopped. */
export async function insertEvents(
  tx: BatchTransaction,
  rows: readonly NewEvent[],
  firstOrdinal = 0,
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const numbered = rows.map((row, index) => ({ ...row, ordinal: firstOrdinal + index }));
  const shape = { tenantId: "text", ordinal: "int", pipelineId: "text", kind: "text" } as const;
  await queriesOf(tx).execute(sql`
    insert into signalbox.events (tenant_id, ordinal, pipeline_id, kind, payload)
    select "tenantId", ordinal, "pipelineId", kind, payload from ${recordset(numbered, shape, ["payload"])}`);
}
