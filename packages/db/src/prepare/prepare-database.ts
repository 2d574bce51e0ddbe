import { sql } from "drizzle-orm";
import { connect, type Connection } from "../connection.ts";
import { DatabaseError } from "../database-error.ts";
import { parseDatabaseUrl, withCredentials } from "../database-url.ts";
import { deriveAppPassword } from "./app-password.ts";
import { applyMigrations } from "./migrate.ts";
import { MIGRATIONS_FOLDER, readMigrationFolder } from "./migration-folder.ts";
import { provisionRoles, readLogin, setAppPassword, type Login } from "./roles.ts";
import { assertSchemaUsable, compareSchema, readSchemaHistory } from "./schema-state.ts";

export interface Preparation {
  url: string;
  appVersion: string;
  migrationsFolder?: string;
  /** Called, with no connection open, before the first pending migration touches existing data. */
  backUp?: (tag: string) => Promise<void>;
  log?: (line: string) => void;
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
  const { url, appVersion, migrationsFolder = MIGRATIONS_FOLDER, backUp, log } = preparation;
  parseDatabaseUrl(url);
  const asLogin = <T>(work: (connection: Connection) => Promise<T>) => during(url, log, work);

  const { login, state } = await asLogin(async (connection) => {
    const found = await readLogin(connection);
    if (!found.provisions) {
      assertAppLogin(found);
    }
    const history = await readSchemaHistory(connection.execute);
    return { login: found, state: compareSchema(readMigrationFolder(migrationsFolder), history) };
  });
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

  const [firstPending] = state.pending;
  if (firstPending !== undefined && state.applied.length > 0) {
    await backUp?.(firstPending);
  }
  const appUrl = await appUrlFor(url);
  const applied = await asLogin(async (connection) => {
    await provisionRoles(connection, login);
    const tags = await applyMigrations(connection, { migrationsFolder, appVersion });
    await ensureAppLogin(connection, appUrl, log);
    return tags;
  });
  await during(appUrl, log, ensurePartitions);
  return { appUrl, applied };
}

async function during<T>(
  url: string,
  log: ((line: string) => void) | undefined,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect({
    url,
    applicationName: "signalbox prepare",
    maxConnections: 1,
    ...(log && { onNotice: log }),
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
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

async function appUrlFor(url: string): Promise<string> {
  const password = decodeURIComponent(parseDatabaseUrl(url).password);
  if (password === "") {
    throw new DatabaseError(
      "MALFORMED_URL",
      "DATABASE_URL holds no password, from which signalbox_app's own is derived. Give the login one, or name a login " +
        "that is a member of signalbox_app.",
    );
  }
  return withCredentials(url, "signalbox_app", await deriveAppPassword(password));
}

async function ensureAppLogin(
  connection: Connection,
  appUrl: string,
  log?: (line: string) => void,
): Promise<void> {
  const probe = () => during(appUrl, log, (app) => app.execute(sql`select 1`));
  try {
    await probe();
  } catch (error) {
    if (!(error instanceof DatabaseError && error.fault === "ACCESS_DENIED")) {
      throw error;
    }
    await setAppPassword(connection, decodeURIComponent(parseDatabaseUrl(appUrl).password));
    await probe();
  }
}

async function ensurePartitions(connection: Connection): Promise<void> {
  await connection.execute(sql`select signalbox.ensure_audit_partitions(${AUDIT_MONTHS_AHEAD})`);
}
