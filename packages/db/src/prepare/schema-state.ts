import { sql, type SQL } from "drizzle-orm";
import { connectionOf, type Database } from "../database.ts";
import { DatabaseError } from "../database-error.ts";
import {
  MIGRATIONS_FOLDER,
  readMigrationFolder,
  type MigrationFile,
  type MigrationMark,
} from "./migration-folder.ts";

export interface SchemaState {
  /** Tags of the migrations that this binary has, in order. */
  known: string[];
  /** Tags that the database has, in the order of their application. */
  applied: string[];
  /** Known here, not yet in the database. */
  pending: string[];
  /** In the database, unknown here, and marked as safe for a binary that does not know them. */
  unknownCompatible: string[];
  /** In the database, unknown here, and unsafe for this binary. */
  unknownBreaking: string[];
  /** In the database and known here, but their file is not the one that was applied. */
  changed: string[];
}

export interface AppliedMigration {
  tag: string;
  mark: MigrationMark;
  hash: string | undefined;
}

type Execute = (statement: SQL) => PromiseLike<Iterable<Record<string, unknown>>>;

/** What the database says of itself; nothing when it was never migrated. */
export async function readSchemaHistory(execute: Execute): Promise<AppliedMigration[]> {
  const [exists] = await execute(sql`select to_regclass('signalbox.schema_history') is not null as found`);
  if (exists?.["found"] !== true) {
    return [];
  }
  // Drizzle's own table knows hashes and no tags, ours tags and no hashes: a file cannot hold its own hash. Both
  // were written in one transaction a migration, in the same order.
  const rows = await execute(sql`
    select history.tag, history.mark, applied.hash
    from (select tag, mark, row_number() over (order by tag) as position from signalbox.schema_history) as history
    left join (select hash, row_number() over (order by id) as position from signalbox_migrations.applied) as applied
      using (position)
    order by position`);
  return Array.from(rows, (row) => ({
    tag: String(row["tag"]),
    mark: row["mark"] === "compatible" ? "compatible" : "breaking",
    hash: typeof row["hash"] === "string" ? row["hash"] : undefined,
  }));
}

export function compareSchema(
  known: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): SchemaState {
  const files = new Map(known.map((file) => [file.tag, file]));
  const inDatabase = new Set(applied.map((migration) => migration.tag));
  const unknown = applied.filter((migration) => !files.has(migration.tag));
  return {
    known: known.map((file) => file.tag),
    applied: applied.map((migration) => migration.tag),
    pending: known.filter((file) => !inDatabase.has(file.tag)).map((file) => file.tag),
    unknownCompatible: unknown.filter(({ mark }) => mark === "compatible").map(({ tag }) => tag),
    unknownBreaking: unknown.filter(({ mark }) => mark === "breaking").map(({ tag }) => tag),
    changed: applied
      .filter(({ tag, hash }) => files.has(tag) && files.get(tag)?.hash !== hash)
      .map(({ tag }) => tag),
  };
}

/** For readiness: may this binary work on this schema? */
export async function schemaState(
  database: Database,
  migrationsFolder = MIGRATIONS_FOLDER,
): Promise<SchemaState> {
  const connection = connectionOf(database);
  return compareSchema(readMigrationFolder(migrationsFolder), await readSchemaHistory(connection.read));
}

/** Throws where going on, or migrating, would be wrong whatever the login may do. */
export function assertSchemaUsable(state: SchemaState): void {
  if (state.unknownBreaking.length > 0) {
    throw new DatabaseError(
      "SCHEMA_NEWER",
      `The database was migrated by a newer Signalbox (${state.unknownBreaking.join(", ")}), and this version would ` +
        "read or write it wrongly. Start the newer version, or restore the backup that was made before that migration.",
    );
  }
  if (state.changed.length > 0) {
    throw new DatabaseError(
      "SCHEMA_DRIFTED",
      `Migrations changed after they were applied: ${state.changed.join(", ")}. Put their files in drizzle/ back as they ` +
        "were released, and make the change in a new migration.",
    );
  }
  const last = state.known.findLast((tag) => state.applied.includes(tag));
  const early = state.pending.filter(
    (tag) => last !== undefined && state.known.indexOf(tag) < state.known.indexOf(last),
  );
  if (early.length > 0) {
    throw new DatabaseError(
      "SCHEMA_DRIFTED",
      `Migrations ${early.join(", ")} are missing in the database although later ones (${last}) were applied, so the ` +
        "migrator would skip them. Give them a later place in drizzle/meta/_journal.json.",
    );
  }
}
