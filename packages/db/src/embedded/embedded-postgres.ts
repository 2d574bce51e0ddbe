import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { withConnection } from "../connection.ts";
import { withDatabase } from "../database-url.ts";
import { backUpData } from "./backup.ts";
import { assertOwn, ensureDataDirectory } from "./data-directory.ts";
import { findPlacement } from "./placement.ts";
import { claimDirectory } from "./directory-claim.ts";
import { awaitVacancy } from "./postmaster.ts";
import { startPostgres, type RunningPostgres } from "./start-postgres.ts";
import { superuserPassword } from "./superuser-password.ts";

export interface EmbeddedPostgres {
  /** The superuser's, on the database `signalbox`: for prepareDatabase, never for the product's own statements. */
  url: string;
  dataDirectory: string;
  /** Stops, copies the data to `<directory>/backups/<time>-before-<tag>` and starts again on the same port. */
  backUp(tag: string): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when Postgres has ended by itself: neither `stop` nor a backup asked for it. */
  lost: Promise<void>;
}

export interface EmbeddedOptions {
  directory: string;
  log?: (line: string) => void;
  /** False only where the data may be lost with the machine: a test's. */
  durable?: boolean;
}

const DATABASE = "signalbox";
const START_ATTEMPTS = 10;

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { directory, log = () => {}, durable = true } = options;
  const placement = findPlacement(directory);
  assertOwn(placement.directory);
  const release = claimDirectory(placement.directory);
  try {
    await awaitVacancy(placement.dataDirectory, log);
    const password = superuserPassword(placement.directory);
    await ensureDataDirectory(placement, password, durable);
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
    let asked = false;
    const watch = ({ ended }: RunningPostgres) => void ended.then(() => asked || lose());
    let running = await withPatience(() => startPostgres(placement, { durable, log }));
    const url = `postgres://postgres:${password}@127.0.0.1:${running.port}/postgres`;
    try {
      await ensureDatabase(url);
    } catch (error) {
      await running.stop();
      throw error;
    }
    watch(running);
    return {
      lost,
      url: withDatabase(url, DATABASE),
      dataDirectory: placement.dataDirectory,
      backUp: async (tag) => {
        asked = true;
        await running.stop();
        try {
          await backUpData(placement, tag);
        } finally {
          running = await withPatience(() => startPostgres(placement, { durable, log, port: running.port }));
          asked = false;
          watch(running);
        }
      },
      stop: async () => {
        asked = true;
        await running.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function withPatience(start: () => Promise<RunningPostgres>): Promise<RunningPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === START_ATTEMPTS || !(error instanceof Error && error.cause === "TRANSIENT")) {
        throw error;
      }
      await pause(500);
    }
  }
}

async function ensureDatabase(url: string): Promise<void> {
  await withConnection(url, async (connection) => {
    const [found] = await connection.execute(sql`select 1 from pg_database where datname = ${DATABASE}`);
    if (found === undefined) {
      await connection.execute(sql`create database ${sql.identifier(DATABASE)}`);
    }
  });
}
