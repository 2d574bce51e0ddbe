import { sql } from "drizzle-orm";
import type { Connection } from "../connection.ts";
import { DatabaseError } from "../database-error.ts";

/** What the migrations create: one index over a tenant and words needs it (ADR 0029). */
const EXTENSIONS = ["btree_gin"] as const;

/** Extensions are files beside the server, which a migration that wants one can only fail for the lack of. */
export async function assertExtensions(
  connection: Pick<Connection, "execute">,
  names: readonly string[] = EXTENSIONS,
): Promise<void> {
  const available = await connection.execute(sql`select name from pg_available_extensions`);
  const known = new Set(available.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  throw new DatabaseError(
    "EXTENSION_MISSING",
    `The PostgreSQL server lacks the extension ${missing.join(", ")}. It comes with PostgreSQL's own contrib modules: on ` +
      "Debian they are in the server's package, on Red Hat and Fedora in postgresql-contrib. Install them beside the server and " +
      "start again; the server need not be restarted.",
  );
}
