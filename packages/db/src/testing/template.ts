import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { withConnection, type Connection } from "../connection.ts";
import { withDatabase } from "../database-url.ts";
import { MIGRATIONS_FOLDER, readMigrationFolder } from "../prepare/migration-folder.ts";
import { prepareDatabase } from "../prepare/prepare-database.ts";

/** A migrated database to clone, made once a cluster; its name tells the migrations and the month of its partitions. */
export async function ensureTemplate(serverUrl: string): Promise<string> {
  const month = new Date().toISOString().slice(0, 7);
  const hashes = readMigrationFolder(MIGRATIONS_FOLDER).map((file) => file.hash);
  const digest = createHash("sha256")
    .update([month, ...hashes].join("\n"))
    .digest("hex");
  const template = `signalbox_template_${digest.slice(0, 16)}`;
  await withConnection(serverUrl, async (connection) => {
    await connection.execute(sql`select pg_advisory_lock(hashtextextended(${template}, 0))`);
    if (await isWhole(connection, template)) {
      return;
    }
    await connection.execute(sql`drop database if exists ${sql.identifier(template)}`);
    await connection.execute(sql`create database ${sql.identifier(template)}`);
    await prepareDatabase({ url: withDatabase(serverUrl, template), appVersion: "test" });
    await connection.execute(sql`alter database ${sql.identifier(template)} allow_connections false`);
  });
  return template;
}

/** Closing it to connections is the last step: one that is open is a killed maker's. */
async function isWhole(connection: Connection, template: string): Promise<boolean> {
  const [found] = await connection.execute(
    sql`select datallowconn from pg_database where datname = ${template}`,
  );
  return found?.["datallowconn"] === false;
}
