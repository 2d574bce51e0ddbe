import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@signalbox/testkit";
import { afterAll, beforeAll } from "vitest";
import { type Around, runCommand } from "./command.ts";
import { manifest } from "./house.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/** For the tests of a file: a server of their own, that knows a pack, and a folder in which commands run. */
export function openHouse() {
  let database: TestDatabase;
  let server: ServerProcess;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startServer(database.url);
    folder = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
    const registered = await server.call("POST", "/v1/packs", manifest);
    if (registered.status !== 201) throw new Error(await registered.text());
  });
  afterAll(async () => {
    await server.stop();
    await database.dispose();
    rmSync(folder, { recursive: true });
  });
  const around = (more: Around = {}): Around => ({
    folder,
    ...more,
    variables: { ...server.variables, ...more.variables },
  });
  return {
    server: () => server,
    around,
    signalbox: (words: readonly string[], more?: Around) => runCommand(words, around(more)),
    fileAt: (name: string) => join(folder, name),
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
  };
}
