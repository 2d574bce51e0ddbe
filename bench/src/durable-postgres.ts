import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@signalbox/db";
import postgres from "postgres";

export type DurablePostgres = {
  /** On the disk that Postgres writes to, for a peer that keeps its own files. */
  readonly directory: string;
  /** Runs with an empty database, written out to disk before, and dropped after. */
  withDatabase<T>(work: (url: string) => Promise<T>): Promise<T>;
};

const TMPFS = 0x0102_1994;

/** PostgreSQL as it comes, in a temporary folder, on the loopback: every commit is on disk when it is answered. */
export async function withDurablePostgres<T>(work: (server: DurablePostgres) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  // As root, Postgres runs as another user, who must get through.
  chmodSync(directory, 0o711);
  try {
    const server = await startEmbeddedPostgres({ directory: join(directory, "server"), durable: true });
    try {
      await assertDurable(server.url, directory);
      return await work({ directory, withDatabase: (task) => withDatabase(server.url, task) });
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A figure without durability would be the fastest of all, and worth nothing. */
async function assertDurable(url: string, directory: string): Promise<void> {
  if (statfsSync(directory).type === TMPFS) {
    throw new Error(
      `${directory} lies in memory, where fsync does nothing: set TMPDIR to a folder on a disk`,
    );
  }
  await asSuperuser(url, async (sql) => {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
      const [row] = await sql`select current_setting(${setting}) as value`;
      if (row?.["value"] !== "on") throw new Error(`${setting} is ${row?.["value"]}; it has to be on`);
    }
  });
}

let databases = 0;

async function withDatabase<T>(server: string, work: (url: string) => Promise<T>): Promise<T> {
  databases += 1;
  const name = `bench_${databases}`;
  await asSuperuser(server, async (sql) => {
    await sql`create database ${sql(name)}`;
    // What the one before left to write would otherwise be written in this one's time.
    await sql`checkpoint`;
  });
  const url = new URL(server);
  url.pathname = name;
  try {
    return await work(url.href);
  } finally {
    await asSuperuser(server, (sql) => sql`drop database ${sql(name)} with (force)`);
  }
}

export async function asSuperuser<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
