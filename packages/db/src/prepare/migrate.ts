import { sql } from "drizzle-orm";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Connection } from "../connection.ts";
import { DatabaseError } from "../database-error.ts";
import { readMigrationFolder } from "./migration-folder.ts";
import { assertSchemaUsable, compareSchema, readSchemaHistory, type SchemaState } from "./schema-state.ts";

export interface Migration {
  migrationsFolder: string;
  appVersion: string;
}

/**
 * Everything in one transaction on one connection: the lock, the role, drizzle's own bookkeeping and all pending files.
 * A starter that dies leaves nothing, and one that comes at the same time waits and then finds nothing to do.
 */
export function applyMigrations(
  connection: Connection,
  { migrationsFolder, appVersion }: Migration,
): Promise<string[]> {
  const settings = {
    role: "signalbox_owner",
    statement_timeout: "0",
    lock_timeout: "120s",
    // Else a starter that was killed would keep the lock until its statement ends.
    client_connection_check_interval: "2s",
    "signalbox.app_version": appVersion,
  };
  return connection.transaction(settings, async (queries) => {
    await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended('signalbox.migrate', 0))`);
    const state = async (): Promise<SchemaState> =>
      compareSchema(
        readMigrationFolder(migrationsFolder),
        await readSchemaHistory((statement) => queries.execute(statement)),
      );
    const before = await state();
    assertSchemaUsable(before);
    if (before.pending.length === 0) {
      return [];
    }
    await migrate(queries, {
      migrationsFolder,
      migrationsSchema: "signalbox_migrations",
      migrationsTable: "applied",
    });
    const after = await state();
    if (after.pending.length > 0 || after.changed.length > 0) {
      throw new DatabaseError(
        "SCHEMA_DRIFTED",
        `Migrations did not enter themselves into signalbox.schema_history: ${[...after.pending, ...after.changed].join(", ")}.`,
      );
    }
    return before.pending;
  });
}
