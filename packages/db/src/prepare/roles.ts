import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { errorCode } from "../connection-failure.ts";
import type { Connection } from "../connection.ts";
import { DatabaseError } from "../database-error.ts";
import { scramVerifier } from "./app-password.ts";

export interface Login {
  name: string;
  /** May make the roles, and so migrate. */
  provisions: boolean;
  /** Row security does not bind it, or it could lift it. */
  exempt: boolean;
  actsAsApp: boolean;
}

/** The login of DATABASE_URL, and whether the server is new enough. */
export async function readLogin(connection: Connection): Promise<Login> {
  const [row] = await connection.execute(sql`
    select session_user as name, current_setting('server_version') as version,
           current_setting('server_version_num')::int as version_number,
           login.rolsuper or login.rolcreaterole as provisions,
           login.rolsuper or login.rolbypassrls or login.rolcreaterole
             or coalesce(pg_has_role(owner.oid, 'member'), false) as exempt,
           coalesce(pg_has_role(app.oid, 'usage'), false) as acts_as_app
    from pg_roles as login
    left join pg_roles as owner on owner.rolname = 'signalbox_owner'
    left join pg_roles as app on app.rolname = 'signalbox_app'
    where login.rolname = session_user`);
  if (row === undefined || Number(row["version_number"]) < 180_000) {
    throw new DatabaseError(
      "SERVER_TOO_OLD",
      `DATABASE_URL leads to PostgreSQL ${String(row?.["version"])}. Signalbox needs 18 or later (it uses uuidv7).`,
    );
  }
  return {
    name: String(row["name"]),
    provisions: row["provisions"] === true,
    exempt: row["exempt"] === true,
    actsAsApp: row["acts_as_app"] === true,
  };
}

/**
 * Roles belong to the cluster, and advisory locks to one database: the lock orders the starters on this one, and the
 * handlers let another database's starter be first. Nothing is run that stands already.
 */
const PROVISION = sql.raw(`
DO $$
DECLARE
  role_name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('signalbox.roles', 0));
  FOREACH role_name IN ARRAY ARRAY['signalbox_owner', 'signalbox_migrator', 'signalbox_app'] LOOP
    IF to_regrole(role_name) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
  END LOOP;
  IF NOT pg_has_role('signalbox_migrator', 'signalbox_owner', 'set') THEN
    GRANT signalbox_owner TO signalbox_migrator WITH INHERIT FALSE, SET TRUE;
  END IF;
  IF NOT pg_has_role(session_user, 'signalbox_migrator', 'set') THEN
    EXECUTE format('GRANT signalbox_migrator TO %I WITH INHERIT FALSE, SET TRUE', session_user);
  END IF;
  IF NOT has_database_privilege('signalbox_owner', current_database(), 'create') THEN
    EXECUTE format('GRANT CREATE ON DATABASE %I TO signalbox_owner', current_database());
  END IF;
  IF NOT has_database_privilege('signalbox_app', current_database(), 'connect') THEN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO signalbox_app', current_database());
  END IF;
END $$`);

export async function provisionRoles(connection: Connection, login: Login): Promise<void> {
  try {
    await withoutRoleRaces(() => connection.execute(PROVISION));
  } catch (error) {
    if (errorCode(error) === "42501") {
      throw new DatabaseError(
        "PRIVILEGE_MISSING",
        `DATABASE_URL: login ${login.name} may create roles, but could not set up Signalbox's: ` +
          `${error instanceof Error ? error.message : ""}. It must own the database, and, where signalbox_owner, ` +
          "signalbox_migrator and signalbox_app exist already, have been granted them WITH ADMIN OPTION.",
        { cause: error },
      );
    }
    throw error;
  }
  const [unsafe] = await connection.execute(sql`
    select 1 from pg_roles as app
    where app.rolname = 'signalbox_app' and (app.rolsuper or app.rolbypassrls or app.rolcreaterole
      or pg_has_role(app.oid, 'signalbox_owner', 'member'))`);
  if (unsafe !== undefined) {
    throw new DatabaseError(
      "ROLE_UNSAFE",
      "Role signalbox_app is a superuser, bypasses row security, may create roles or is a member of signalbox_owner, so " +
        "tenants would not be kept apart. Take that from it (ALTER ROLE … NOSUPERUSER NOBYPASSRLS NOCREATEROLE; REVOKE).",
    );
  }
}

export async function setAppPassword(connection: Connection, password: string): Promise<void> {
  const verifier = scramVerifier(password);
  await withoutRoleRaces(() =>
    connection.execute(sql.raw(`ALTER ROLE signalbox_app LOGIN PASSWORD '${verifier}'`)),
  );
}

const ATTEMPTS = 5;

/** Postgres answers two changes of one role at once with a bare XX000 "tuple concurrently updated", or with 23505. */
async function withoutRoleRaces(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run();
      return;
    } catch (error) {
      const code = errorCode(error);
      if (attempt === ATTEMPTS || (code !== "XX000" && code !== "23505")) {
        throw error;
      }
      await pause(20 * attempt);
    }
  }
}
