import { sql } from "drizzle-orm";
import { withConnection, type Connection } from "../connection.ts";
import { DatabaseError } from "../database-error.ts";
import { parseDatabaseUrl } from "../database-url.ts";
import { appUrlFor, ensureAppLogin } from "./app-login.ts";
import { assertExtensions } from "./extensions.ts";
import { applyMigrations } from "./migrate.ts";
import { MIGRATIONS_FOLDER, readMigrationFolder } from "./migration-folder.ts";
import { provisionRoles, readLogin, type Login } from "./roles.ts";
import { assertSchemaUsable, compareSchema, readSchemaHistory, type SchemaState } from "./schema-state.ts";

export interface Preparation {
  url: string;
  appVersion: string;
  migrationsFolder?: string;
  /** Called, with no connection open, before the first pending migration touches existing data. */
  backUp?: (tag: string) => Promise<void>;
}

export interface PreparedDatabase {
  /** What `openDatabase` is to use: a login that row security binds. */
  appUrl: string;
  /** Tags of the migrations that this call applied. */
  applied: string[];
}

/** The current month and the three that follow: a process may run that long before it is called again. */
export const AUDIT_MONTHS_AHEAD = 3;

/** Makes the database that `url` names ready for this version, or says why it cannot be. */
export async function prepareDatabase(preparation: Preparation): Promise<PreparedDatabase> {
  const { url, appVersion, migrationsFolder = MIGRATIONS_FOLDER, backUp } = preparation;
  parseDatabaseUrl(url);
  const asLogin = <T>(work: (connection: Connection) => Promise<T>) => withConnection(url, work);

  const login = await asLogin(async (connection) => {
    const found = await readLogin(connection);
    if (found.provisions) {
      await provisionRoles(connection, found);
    } else {
      assertAppLogin(found);
    }
    return found;
  });
  const state = await asLogin((connection) => readState(connection, login, migrationsFolder));
  assertSchemaUsable(state);

  if (!login.provisions) {
    if (state.pending.length > 0) {
      throw new DatabaseError(
        "SCHEMA_BEHIND",
        `The database lacks ${state.pending.join(", ")}, and login ${login.name} may not migrate. Start this version once ` +
          "with a DATABASE_URL whose login may create roles and owns the database.",
      );
    }
    await asLogin(ensurePartitions);
    return { appUrl: url, applied: [] };
  }

  if (state.pending.length > 0) await asLogin(assertExtensions);
  const appUrl = await appUrlFor(url);
  const [firstPending] = state.pending;
  if (firstPending !== undefined && state.applied.length > 0) {
    await backUp?.(firstPending);
  }
  const applied = await asLogin(async (connection) => {
    const tags = await applyMigrations(connection, { migrationsFolder, appVersion });
    await ensureAppLogin(connection, appUrl);
    return tags;
  });
  await withConnection(appUrl, ensurePartitions);
  return { appUrl, applied };
}

/** A login that is no superuser has no right of its own on what the owner owns, but may become it. */
function readState(connection: Connection, login: Login, migrationsFolder: string): Promise<SchemaState> {
  return connection.transaction(login.provisions ? { role: "signalbox_owner" } : {}, async (queries) =>
    compareSchema(
      readMigrationFolder(migrationsFolder),
      await readSchemaHistory((statement) => queries.execute(statement)),
    ),
  );
}

function assertAppLogin(login: Login): void {
  if (login.exempt || !login.actsAsApp) {
    throw new DatabaseError(
      login.exempt ? "ROLE_UNSAFE" : "PRIVILEGE_MISSING",
      `DATABASE_URL: login ${login.name} may not create roles, ` +
        (login.exempt
          ? "yet row security does not bind it (BYPASSRLS, or a member of signalbox_owner)."
          : "and it is not a member of signalbox_app.") +
        " Allowed: a login that may create roles and owns the database, or one that is signalbox_app or a plain member of it.",
    );
  }
}

async function ensurePartitions(connection: Connection): Promise<void> {
  await connection.execute(sql`select signalbox.ensure_audit_partitions(${AUDIT_MONTHS_AHEAD})`);
}
