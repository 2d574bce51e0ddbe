import { sql } from "drizzle-orm";
import { numberEvents, queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import { recordset } from "./recordset.ts";

export interface NewEvent {
  tenantId: string;
  pipelineId: string | null;
  kind: string;
  payload: string;
}

/** A transaction's events are numbered as they come, whoever writes them: a second call in it goes on where the first stopped. */
export function insertionOfEvents(tx: BatchTransaction, rows: readonly NewEvent[]): Statement {
  if (rows.length === 0) {
    return undefined;
  }
  const first = numberEvents(tx, rows.length);
  const numbered = rows.map((row, index) => ({ ...row, ordinal: first + index }));
  const shape = { tenantId: "text", ordinal: "int", pipelineId: "text", kind: "text" } as const;
  return sql`
    insert into signalbox.events (tenant_id, ordinal, pipeline_id, kind, payload)
    select "tenantId", ordinal, "pipelineId", kind, payload from ${recordset(numbered, shape, ["payload"])}`;
}

export async function insertEvents(tx: BatchTransaction, rows: readonly NewEvent[]): Promise<void> {
  const insertion = insertionOfEvents(tx, rows);
  if (insertion !== undefined) await queriesOf(tx).execute(insertion);
}
