import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { withConnection, type Connection } from "../connection.ts";
import { withDatabase } from "../database-url.ts";
import { appUrlFor } from "../prepare/app-login.ts";
import { ensureTemplate } from "./template.ts";

export interface TestDatabase {
  name: string;
  /** A login that may do everything; prepareDatabase and catalogue checks. */
  url: string;
  /** What the product gets. */
  appUrl: string;
  /** Drops the database. Throws where a connection to it is still open: the test, or the code in it, leaks. */
  dispose: () => Promise<void>;
}

/** The cluster that testkit's global setup started, or that SIGNALBOX_TEST_DATABASE_URL names. */
export function testServerUrl(): string {
  const url = process.env["SIGNALBOX_TEST_DATABASE_URL"];
  if (url === undefined) {
    throw new Error(
      "SIGNALBOX_TEST_DATABASE_URL is not set: run tests that need Postgres with `vitest run --project postgres`.",
    );
  }
  return url;
}

let made: { template: Promise<string>; appUrl: Promise<string> } | undefined;

/** A migrated database of its own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = testServerUrl();
  made ??= { template: ensureTemplate(server), appUrl: appUrlFor(server) };
  return createDatabase(server, await made.template, await made.appUrl);
}

/** An empty database of its own: for tests of the migration itself. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = testServerUrl();
  return createDatabase(server, "template0", await appUrlFor(server));
}

async function createDatabase(server: string, template: string, appUrl: string): Promise<TestDatabase> {
  const name = `signalbox_test_${randomBytes(8).toString("hex")}`;
  await withConnection(server, (connection) =>
    connection.execute(sql`create database ${sql.identifier(name)} template ${sql.identifier(template)}`),
  );
  return {
    name,
    url: withDatabase(server, name),
    appUrl: withDatabase(appUrl, name),
    dispose: () => withConnection(server, (connection) => dropDatabase(connection, name)),
  };
}

async function dropDatabase(connection: Connection, name: string): Promise<void> {
  const open = await leftConnections(connection, name);
  await connection.execute(sql`drop database ${sql.identifier(name)} with (force)`);
  if (open.length > 0) {
    throw new Error(
      `Connections to the test's database were left open, by: ${open.join(", ")}. Close them first.`,
    );
  }
}

/** A backend outlives its closed socket by a moment; what is still there after two seconds is a leak. */
async function leftConnections(connection: Connection, name: string): Promise<string[]> {
  for (let attempt = 0; ; attempt += 1) {
    const open = await connection.execute(
      sql`select application_name from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`,
    );
    if (open.length === 0 || attempt === 100) {
      return open.map((row) => String(row["application_name"]));
    }
    await pause(20);
  }
}
