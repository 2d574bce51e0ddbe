import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { withConnection, type Connection } from "../connection.ts";
import { withDatabase } from "../database-url.ts";
import { appUrlFor } from "../prepare/app-login.ts";
import { findRecordFaults } from "./check-record.ts";
import { ensureTemplate } from "./template.ts";

export interface TestDatabase {
  name: string;
  /** A login that may do everything; prepareDatabase and catalogue checks. */
  url: string;
  /** What the product gets. */
  appUrl: string;
  /**
   * Drops the database. Throws where a connection to it is still open, for the test or the code in it leaks, and where
   * what is on record of its pipelines does not give the state that the tables have (FOLD-1).
   */
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

/** A migrated database of its own. Rows that a test writes by hand need not make sense together. */
export async function createTestDatabase(
  rows: "the product's" | "by hand" = "the product's",
): Promise<TestDatabase> {
  const server = testServerUrl();
  made ??= { template: ensureTemplate(server), appUrl: appUrlFor(server) };
  const examine = rows === "by hand" ? examineNothing : findRecordFaults;
  return createDatabase(server, await made.template, await made.appUrl, examine);
}

const examineNothing = (): Promise<string[]> => Promise.resolve([]);

/** An empty database of its own: for tests of the migration itself. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = testServerUrl();
  return createDatabase(server, "template0", await appUrlFor(server), examineNothing);
}

async function createDatabase(
  server: string,
  template: string,
  appUrl: string,
  examine: (url: string) => Promise<string[]>,
): Promise<TestDatabase> {
  const name = `signalbox_test_${randomBytes(8).toString("hex")}`;
  await withConnection(server, (connection) =>
    connection.execute(sql`create database ${sql.identifier(name)} template ${sql.identifier(template)}`),
  );
  const url = withDatabase(server, name);
  return {
    name,
    url,
    appUrl: withDatabase(appUrl, name),
    dispose: () =>
      withConnection(server, async (connection) => {
        const open = await leftConnections(connection, name);
        // Of a server that was killed, what it had under way is over only once its connections are gone.
        const faults = await examine(url).catch((error: unknown) => [`it cannot be read: ${String(error)}`]);
        await connection.execute(sql`drop database ${sql.identifier(name)} with (force)`);
        if (open.length > 0) {
          throw new Error(
            `Connections to the test's database were left open, by: ${open.join(", ")}. Close them first.`,
          );
        }
        if (faults.length > 0) throw new Error(faults.slice(0, 5).join("\n"));
      }),
  };
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
