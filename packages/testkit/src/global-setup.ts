import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@signalbox/db";
import { ensureTemplate } from "@signalbox/db/testing";

const VARIABLE = "SIGNALBOX_TEST_DATABASE_URL";

/** One cluster for all tests of the `postgres` project, unless the environment names one; workers inherit the variable. */
export async function setup(): Promise<() => Promise<void>> {
  const given = process.env[VARIABLE];
  if (given !== undefined) {
    await ensureTemplate(given);
    return () => Promise.resolve();
  }
  const directory = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  // As root, Postgres runs as another user, who must get through.
  chmodSync(directory, 0o711);
  const postgres = await startEmbeddedPostgres({ directory, durable: false });
  process.env[VARIABLE] = postgres.url;
  await ensureTemplate(postgres.url);
  return async () => {
    await postgres.stop();
    delete process.env[VARIABLE];
    rmSync(directory, { recursive: true, force: true });
  };
}
