import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { apart } from "../measure/apart.ts";
import { keepBusy, type Span } from "../measure/meter.ts";

type Settings = { url: string; rowBytes: number; connections: number; span: Span };

const ROWS = 100;

export const bareInsert = apart(import.meta.url, {
  /** Rows of a size into a table with a key and nothing else, a hundred a statement, each statement a commit. */
  async throughput({ url, rowBytes, connections, span }: Settings) {
    const sql = postgres(url, { max: connections, onnotice: () => {} });
    await sql`create table bare (id bigint generated always as identity primary key, payload json not null)`;
    const rows = Array.from({ length: ROWS }, () => ({ payload: payloadOf(rowBytes) }));
    const { perSecond } = await keepBusy(connections, span, () => sql`insert into bare ${sql(rows)}`);
    await sql.end();
    return { perSecond: perSecond * ROWS };
  },
});

/** Not compressible, so that no row is stored in fewer bytes than another's. */
function payloadOf(bytes: number): string {
  const around = JSON.stringify({ payload: "" }).length;
  const length = Math.max(1, Math.round(bytes) - around);
  return JSON.stringify({ payload: randomBytes(length).toString("base64").slice(0, length) });
}
