import type { Sql } from "postgres";
import { asSuperuser } from "../durable-postgres.ts";
import { apart } from "../measure/apart.ts";

type Filling = { url: string; pipelines: number; entriesEach: number };
type Model = { tenant_id: string; pipeline_id: string };

const TABLES = ["tasks", "pipelines", "stages", "dispatches", "results", "audit_entries"];
const AT_ONCE = 20_000;
const SESSIONS = 2;
/** An entry's identity, transaction and salt are the database's own. */
const LEFT_OUT = new Set(["audit_id", "transaction", "salt"]);

/** Copies of a finished pipeline: their rows are what the engine itself writes, whatever columns it has by then. */
export const history = apart(
  import.meta.url,
  {
    async copyPipelines({ url, pipelines, entriesEach }: Filling) {
      const share = Math.ceil(pipelines / SESSIONS);
      await Promise.all(Array.from({ length: SESSIONS }, () => copyShare(url, share, entriesEach)));
      await asSuperuser(url, async (sql) => {
        await sql`vacuum analyze`;
        await sql`checkpoint`;
      });
    },
  },
  3_600_000,
);

function copyShare(url: string, pipelines: number, entriesEach: number): Promise<void> {
  return asSuperuser(url, async (sql) => {
    const [model] = await sql<Model[]>`
      select tenant_id, pipeline_id from signalbox.pipelines where ended_at is not null limit 1`;
    if (model === undefined) throw new Error("there is no finished pipeline to copy");
    await sql`set synchronous_commit = off`;
    for (let filled = 0; filled < pipelines; filled += AT_ONCE) {
      await sql`drop table if exists copy`;
      // Ids of the past, as they would be: new ones are not inserted among them.
      await sql`
        create temp table copy as
        select uuidv7(-shift)::text as pipeline_id, shift
        from (select random() * interval '12 hours' + interval '1 minute' as shift
              from generate_series(1, ${Math.min(AT_ONCE, pipelines - filled)}))`;
      for (const table of TABLES) {
        await copyRows(sql, table, model, table === "audit_entries" ? entriesEach : undefined);
      }
    }
  });
}

async function copyRows(sql: Sql, table: string, model: Model, most: number | undefined): Promise<void> {
  const columns = (await columnsOf(sql, table)).filter((column) => !LEFT_OUT.has(column));
  await sql.unsafe(
    `insert into signalbox."${table}" (${columns.map((column) => `"${column}"`).join(", ")})
     select ${columns.map(valueOf).join(", ")} from copy, (
       select * from signalbox."${table}" where tenant_id = $1 and pipeline_id = $2 limit $3
     ) model`,
    [model.tenant_id, model.pipeline_id, most ?? null],
  );
}

function valueOf(column: string): string {
  if (column === "pipeline_id") return "copy.pipeline_id";
  // Not before this month: the record has no partition there.
  if (column === "recorded_at") return "greatest(date_trunc('month', now()), model.recorded_at - copy.shift)";
  const isTime = column.endsWith("_at") || column.endsWith("_since");
  return isTime ? `model."${column}" - copy.shift` : `model."${column}"`;
}

async function columnsOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'signalbox' and table_name = ${table} order by ordinal_position`;
  return rows.map(({ name }) => name);
}
