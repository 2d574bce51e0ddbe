import { asSuperuser } from "../durable-postgres.ts";

export type AuditSize = { readonly rowsEach: number; readonly bytesPerRow: number };

/** What a finished pipeline left on record, as the mean of some: counting all would take as long as the run did. */
export async function measureAudit(url: string, pipelineIds: readonly string[]): Promise<AuditSize> {
  return asSuperuser(url, async (sql) => {
    const [row] = await sql<AuditSize[]>`
      select count(*)::float8 / ${pipelineIds.length}::float8 as "rowsEach",
             avg(octet_length(entry::text))::float8 as "bytesPerRow"
      from signalbox.audit_entries entry
      where pipeline_id = any(${pipelineIds as string[]})`;
    if (row === undefined || row.rowsEach === 0) throw new Error("finished pipelines left nothing on record");
    return row;
  });
}
