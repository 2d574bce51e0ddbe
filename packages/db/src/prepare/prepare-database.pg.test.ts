import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withConnection } from "../connection.ts";
import { openDatabase } from "../database.ts";
import { withCredentials } from "../database-url.ts";
import { findTraceEvents, loadEventIds } from "../queries/trace-runs.ts";
import { insertPipelines } from "../queries/write-pipelines.ts";
import { searchPipelines } from "../repositories/pipelines.ts";
import { listTraceEvents } from "../repositories/turns-and-events.ts";
import { samplePipeline } from "../testing/sample-rows.ts";
import { createEmptyDatabase, testServerUrl, type TestDatabase } from "../testing/index.ts";
import { MIGRATIONS_FOLDER, readMigrationFolder, type MigrationMark } from "./migration-folder.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { schemaState } from "./schema-state.ts";

// Databases are made, and processes killed, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 60_000 });

const known = readMigrationFolder(MIGRATIONS_FOLDER).map(({ tag }) => tag);
const LAST = known.at(-1) ?? "";

let made: TestDatabase;
let folder: string;
beforeEach(async () => {
  made = await createEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), "signalbox-migrations-"));
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await made.dispose();
});

const prepare = (
  migrationsFolder = MIGRATIONS_FOLDER,
  more: { backUp?: (tag: string) => Promise<void> } = {},
) => prepareDatabase({ url: made.url, appVersion: "1.2.3", migrationsFolder, ...more });
const asSuperuser = (text: string) =>
  withConnection(made.url, (connection) => connection.execute(sql.raw(text)));

/** Adds a migration to the copied folder, as a later version would bring it. */
function addMigration(tag: string, mark: MigrationMark, statement = "SELECT 1"): void {
  const journalFile = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalFile, "utf8"));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag });
  writeFileSync(journalFile, JSON.stringify(journal));
  writeFileSync(
    join(folder, `${tag}.sql`),
    `${statement};--> statement-breakpoint\nINSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('${tag}', '${mark}');\n`,
  );
}

const eventIdOf = (sequence: number) => `7fbb32b6-0d2c-4c1a-9b75-${String(sequence).padStart(12, "0")}`;
const eventOf = (sequence: number) =>
  `{"payload": {"type":"SANDBOX_PULSE"},"turn_index":2,"sequence":${sequence}}`;

describe("starting", () => {
  test("an empty database gets everything, the second start nothing, and each migration its version", async () => {
    expect(await prepare()).toEqual({ appUrl: made.appUrl, applied: known });
    expect((await prepare()).applied).toEqual([]);
    expect(await asSuperuser("select distinct app_version from signalbox.schema_history")).toEqual([
      { app_version: "1.2.3" },
    ]);
  });

  test("three starters at once: one migrates, the others wait and find nothing to do", async () => {
    const outcomes = await Promise.all([prepare(), prepare(), prepare()]);
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(known);
  });

  test("pipelines of before 0024 are found by their words after it, by their own tenant alone", async () => {
    const journalFile = join(folder, "meta", "_journal.json");
    const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
    const earlier = journal.entries.filter(({ tag }) => tag < "0024");
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: earlier }));
    const { appUrl, applied } = await prepare(folder);
    expect(applied.at(-1)).toBe("0023_search_pipelines");
    const database = openDatabase({ url: appUrl, applicationName: "test", maxConnections: 1 });
    const begin = (pipelineId: string, taskTitle: string | null) =>
      database.inTenants(["east", "west"], (tx) =>
        insertPipelines(tx, [
          samplePipeline("east", pipelineId, { taskTitle }),
          samplePipeline("west", pipelineId, { sourceTaskId: "TAS-1" }),
        ]),
      );
    const search = (tenantId: string, words: string) =>
      database.inTenant(tenantId, (tx) => searchPipelines(tx, { words, most: 10 }));
    try {
      await begin("a", "Mend the cart's rounding");
      await begin("b", null);
      expect((await prepare()).applied).toEqual(known.filter((tag) => tag >= "0024"));
      await begin("c", "Mend the door");
      expect(await search("east", "mend")).toEqual(["c", "a"]);
      expect(await search("east", "paint")).toEqual(["c", "b", "a"]);
      expect(await search("east", "tas")).toEqual([]);
      expect(await search("west", "tas")).toEqual(["c", "b", "a"]);
    } finally {
      await database.close();
    }
  });

  test("events of before 0034 are there after it, each a run of its own, and their ids are taken", async () => {
    const journalFile = join(folder, "meta", "_journal.json");
    const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
    const earlier = journal.entries.filter(({ tag }) => tag < "0034");
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: earlier }));
    const { appUrl } = await prepare(folder);
    for (const tenantId of ["east", "west"])
      for (const sequence of [0, 1])
        await asSuperuser(
          `insert into signalbox.trace_events (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, sequence,
             event_id, stage_id, type, fingerprint, event, received_at)
           values ('${tenantId}', 'p', 0, 1, 2, ${sequence}, '${eventIdOf(sequence)}', 's', 'SANDBOX_PULSE', sha256('${sequence}'),
             '${eventOf(sequence)}', '2026-02-21T09:30:00Z')`,
        );
    await prepare();
    const database = openDatabase({ url: appUrl, applicationName: "test", maxConnections: 1 });
    try {
      const place = { stageOrder: 0, attemptNumber: 1, turnIndex: 2, stageId: "s" };
      const receivedAt = Date.parse("2026-02-21T09:30:00Z");
      for (const tenantId of ["east", "west"]) {
        const kept = await database.inTenant(tenantId, (tx) => listTraceEvents(tx, "p", { limit: 9 }));
        expect(kept).toEqual(
          [0, 1].map((sequence) => Object.assign({ sequence, receivedAt, event: eventOf(sequence) }, place)),
        );
        const key = { tenantId, pipelineId: "p", stageOrder: 0, attemptNumber: 1 };
        const asked = { ...key, runNumber: 2, eventId: eventIdOf(1) };
        const fingerprint = createHash("sha256").update("1").digest("hex");
        expect(await database.inTenants([tenantId], (tx) => findTraceEvents(tx, [asked]))).toEqual([
          { ...key, eventId: eventIdOf(1), fingerprint, event: eventOf(1) },
        ]);
      }
    } finally {
      await database.close();
    }
  });

  test("runs of before 0036 name their events after it, numbered from 1 in their attempt, and cannot be changed", async () => {
    const journalFile = join(folder, "meta", "_journal.json");
    const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
    const earlier = journal.entries.filter(({ tag }) => tag < "0036");
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: earlier }));
    const { appUrl } = await prepare(folder);
    const runs = [
      [1, 0, 2],
      [1, 3, 3],
      [2, 0, 1],
    ] as const;
    for (const tenantId of ["east", "west"])
      for (const [turn, first, last] of runs) {
        await asSuperuser(
          `insert into signalbox.trace_runs (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, first_sequence,
             last_sequence, stage_id, types, events)
           values ('${tenantId}', 'p', 0, 1, ${turn}, ${first}, ${last}, 's', '{SANDBOX_PULSE}', '${eventOf(first)}')`,
        );
        for (let sequence = last; sequence >= first; sequence -= 1)
          await asSuperuser(
            `insert into signalbox.trace_event_ids (tenant_id, pipeline_id, stage_order, attempt_number, event_id, turn_index, sequence)
             values ('${tenantId}', 'p', 0, 1, '${eventIdOf(turn * 10 + sequence)}', ${turn}, ${sequence})`,
          );
      }
    await prepare();
    const database = openDatabase({ url: appUrl, applicationName: "test", maxConnections: 1 });
    try {
      const key = { tenantId: "east", pipelineId: "p", stageOrder: 0, attemptNumber: 1 };
      expect(await database.inTenants(["east"], (tx) => loadEventIds(tx, [{ ...key, from: 0 }], 9))).toEqual([
        { ...key, runNumber: 1, eventIds: [10, 11, 12].map(eventIdOf) },
        { ...key, runNumber: 2, eventIds: [eventIdOf(13)] },
        { ...key, runNumber: 3, eventIds: [20, 21].map(eventIdOf) },
      ]);
    } finally {
      await database.close();
    }
    await expect(asSuperuser("update signalbox.trace_runs set run_number = 9")).rejects.toThrow(
      "append-only",
    );
  });

  test("existing data is backed up before a pending migration, and only then", async () => {
    const backedUp: string[] = [];
    const backUp = async (tag: string) => {
      const open = await withConnection(testServerUrl(), (connection) =>
        connection.execute(sql`select 1 from pg_stat_activity where datname = ${made.name}`),
      );
      backedUp.push(`${tag} with ${open.length} connections`);
    };
    await prepare(MIGRATIONS_FOLDER, { backUp });
    await prepare(MIGRATIONS_FOLDER, { backUp });
    expect(backedUp).toEqual([]);
    addMigration("9000_more", "compatible");
    await prepare(folder, { backUp });
    expect(backedUp).toEqual(["9000_more with 0 connections"]);
  });

  test("a migration that fails leaves nothing of itself nor of those before it", async () => {
    await prepare();
    addMigration("9000_first", "compatible", "CREATE TABLE signalbox.first (x int)");
    addMigration("9001_second", "compatible", "SELECT 1/0");
    await expect(prepare(folder)).rejects.toMatchObject({ code: "22012" });
    expect(await asSuperuser("select to_regclass('signalbox.first') as found")).toEqual([{ found: null }]);
    expect((await prepare()).applied).toEqual([]);
  });

  test("a starter that is killed in the middle leaves nothing, and the next is not held up", async () => {
    await prepare();
    addMigration("9000_slow", "compatible", "CREATE TABLE signalbox.half (x int); SELECT pg_sleep(300)");
    const script = `
      import { prepareDatabase } from ${JSON.stringify(new URL("prepare-database.ts", import.meta.url).href)};
      await prepareDatabase(JSON.parse(process.argv[1]));`;
    const parameters = JSON.stringify({ url: made.url, appVersion: "1.2.3", migrationsFolder: folder });
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, parameters], {
      stdio: "inherit",
    });
    await expect
      .poll(
        () =>
          asSuperuser(
            "select 1 from pg_stat_activity where query like '%pg_sleep(300)%' and pid <> pg_backend_pid()",
          ),
        {
          timeout: 30_000,
        },
      )
      .toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "close");
    rmSync(folder, { recursive: true });
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
    addMigration("9000_quick", "compatible", "CREATE TABLE signalbox.half (x int)");
    expect((await prepare(folder)).applied).toEqual(["9000_quick"]);
  });
});

describe("an older version meets a newer schema", () => {
  test("compatible: it goes on", async () => {
    addMigration("9000_more", "compatible");
    await prepare(folder);
    const { appUrl, applied } = await prepare();
    expect(applied).toEqual([]);
    const database = openDatabase({ url: appUrl, applicationName: "test", maxConnections: 1 });
    expect(await schemaState(database)).toMatchObject({
      pending: [],
      unknownCompatible: ["9000_more"],
      unknownBreaking: [],
    });
    await database.close();
  });

  test("breaking: it refuses and says what to do", async () => {
    addMigration("9000_other", "breaking");
    await prepare(folder);
    await expect(prepare()).rejects.toMatchObject({
      fault: "SCHEMA_NEWER",
      message: expect.stringMatching(/9000_other.*Start the newer version, or restore the backup/),
    });
  });
});

test("a migration that changed after it was applied is refused, and the message says what to do", async () => {
  await prepare();
  const file = join(folder, `${LAST}.sql`);
  writeFileSync(file, `-- edited\n${readFileSync(file, "utf8")}`);
  await expect(prepare(folder)).rejects.toMatchObject({
    fault: "SCHEMA_DRIFTED",
    message: expect.stringMatching(new RegExp(`${LAST}.*in a new migration`)),
  });
});

test("a migration that does not enter itself is undone", async () => {
  await prepare();
  addMigration("9000_forgets", "compatible");
  writeFileSync(join(folder, "9000_forgets.sql"), "CREATE TABLE signalbox.forgotten (x int);");
  await expect(prepare(folder)).rejects.toMatchObject({ fault: "SCHEMA_DRIFTED" });
  expect(await asSuperuser("select to_regclass('signalbox.forgotten') as found")).toEqual([{ found: null }]);
});

describe("a login that may not create roles", () => {
  const login = `plain_${process.pid}`;
  beforeEach(() => asSuperuser(`create role ${login} login password 'plain'`));
  afterEach(() => asSuperuser(`drop owned by ${login}; drop role ${login}`));
  const prepareAsPlain = (migrationsFolder = MIGRATIONS_FOLDER) =>
    prepareDatabase({
      url: withCredentials(made.url, login, "plain"),
      appVersion: "1.2.3",
      migrationsFolder,
    });

  test("as a member of signalbox_app: the schema is checked, partitions ensured, and its own URL used", async () => {
    await prepare();
    await asSuperuser(`grant signalbox_app to ${login}`);
    expect(await prepareAsPlain()).toEqual({
      appUrl: withCredentials(made.url, login, "plain"),
      applied: [],
    });
  });

  test("on a schema that is behind: the message says which login is needed", async () => {
    await prepare();
    await asSuperuser(`grant signalbox_app to ${login}`);
    addMigration("9000_more", "compatible");
    await expect(prepareAsPlain(folder)).rejects.toMatchObject({
      fault: "SCHEMA_BEHIND",
      message: expect.stringMatching(/lacks 9000_more.*login may create roles/),
    });
  });

  test("as a stranger: refused with what is allowed", async () => {
    await prepare();
    await expect(prepareAsPlain()).rejects.toMatchObject({
      fault: "PRIVILEGE_MISSING",
      message: expect.stringContaining("not a member of signalbox_app"),
    });
  });

  test.each([
    ["BYPASSRLS", `alter role ${login} bypassrls`],
    ["a member of the owner", `grant signalbox_owner to ${login}`],
  ])("%s: refused, for row security would not bind the product", async (_, change) => {
    await prepare();
    await asSuperuser(`grant signalbox_app to ${login}`);
    await asSuperuser(change);
    await expect(prepareAsPlain()).rejects.toMatchObject({ fault: "ROLE_UNSAFE" });
  });
});

test("signalbox_app's password never stands in the server's log, only its verifier", async () => {
  await prepare();
  const [app] = await asSuperuser(
    "select rolpassword like 'SCRAM-SHA-256$4096:%' as hidden from pg_authid where rolname = 'signalbox_app'",
  );
  expect(app).toEqual({ hidden: true });
});

const verifier = () => asSuperuser("select rolpassword from pg_authid where rolname = 'signalbox_app'");

test("a password that works is left alone: other nodes are using it", async () => {
  await prepare();
  const before = await verifier();
  await prepare();
  expect(await verifier()).toEqual(before);
});
