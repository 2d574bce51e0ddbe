import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withConnection } from "../connection.ts";
import { withCredentials } from "../database-url.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { livePostmaster } from "./postmaster.ts";
import { parentOf, processIdentity } from "./process-identity.ts";
import { canEnter, isRoot } from "./system-user.ts";

// Each test starts processes, some of them several, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 60_000 });

/** A directory that was started once: initdb takes longer than all that is tested here. */
let golden: string;
beforeAll(async () => {
  golden = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-golden-")));
  chmodSync(golden, 0o711);
  await (await startEmbeddedPostgres({ directory: join(golden, ".signalbox"), durable: false })).stop();
});
afterAll(() => rmSync(golden, { recursive: true }));

let root: string;
let directory: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-embedded-")));
  chmodSync(root, 0o711);
  directory = join(root, ".signalbox");
  execFileSync("cp", ["-a", join(golden, ".signalbox"), root]);
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
  }
  await vi.waitFor(() => assert.equal(postmaster(), undefined), { timeout: 15_000 });
  rmSync(root, { recursive: true });
});

const start = (durable = false) => startEmbeddedPostgres({ directory, durable });
const beginAnew = () => rmSync(directory, { recursive: true });
const write = (url: string) =>
  withConnection(url, async (connection) => {
    await connection.execute(sql`create table public.kept as select 42 as value`);
  });
const read = (url: string) =>
  withConnection(url, (connection) => connection.execute(sql`select value from public.kept`));
const postmaster = () => livePostmaster(join(directory, "postgres"));
const ended = (pid: number) =>
  vi.waitFor(() => assert.equal(processIdentity(pid), undefined), { timeout: 15_000 });

/** Another Signalbox: a process of its own that starts the directory and says so. */
async function startOther(
  user: { uid?: number; gid?: number } = {},
  durable = false,
): Promise<{ child: ChildProcess; url: string }> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL("embedded-postgres.ts", import.meta.url).href)};
    const postgres = await startEmbeddedPostgres({ directory: process.argv[1], durable: ${durable} });
    console.log(postgres.url);
    process.stdin.once("data", () => postgres.stop().then(() => process.exit(0))).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, directory], {
    ...user,
    stdio: ["pipe", "pipe", "inherit"],
  });
  running.push(child);
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "close").then(() => Promise.reject(new Error("the other Signalbox ended"))),
  ]);
  return { child, url: String(url) };
}

describe("starting", () => {
  test("the second start finds the first one's data, and a stop leaves no process", async () => {
    beginAnew();
    const first = await start();
    await write(first.url);
    const pid = postmaster();
    await first.stop();
    expect(processIdentity(pid ?? 0)).toBeUndefined();
    const second = await start();
    expect(await read(second.url)).toEqual([{ value: 42 }]);
    await second.stop();
  });

  test("only the password lets a local user in, and only we can read it", async () => {
    const postgres = await start();
    await expect(read(withCredentials(postgres.url, "postgres", "guessed"))).rejects.toMatchObject({
      fault: "ACCESS_DENIED",
    });
    expect(statSync(join(directory, "postgres-password")).mode & 0o777).toBe(0o600);
    expect(statSync(postgres.dataDirectory).mode & 0o777).toBe(0o700);
    const rules = readFileSync(join(postgres.dataDirectory, "pg_hba.conf"), "utf8");
    expect(
      rules.split("\n").filter((line) => /^(local|host)/.test(line) && !line.endsWith("scram-sha-256")),
    ).toEqual([]);
    const [listening] = await withConnection(postgres.url, (connection) =>
      connection.execute(
        sql`select current_setting('listen_addresses') as tcp, current_setting('unix_socket_directories') as unix`,
      ),
    );
    expect(listening).toEqual({ tcp: "127.0.0.1", unix: "" });
    await postgres.stop();
  });

  test("text is UTF-8 and ordered by code point whatever the machine's locale, time is UTC", async () => {
    const postgres = await start();
    const [found] = await withConnection(postgres.url, (connection) =>
      connection.execute(sql`select pg_encoding_to_char(encoding) as encoding, datlocprovider::text as provider, datlocale as locale,
        'Z' < 'a' as ordered, lower('ÄÖ') as lowered from pg_database where datname = current_database()`),
    );
    expect(found).toEqual({
      encoding: "UTF8",
      provider: "b",
      locale: "C.UTF-8",
      ordered: true,
      lowered: "äö",
    });
    await postgres.stop();
  });

  test("it is crash-safe unless told otherwise", async () => {
    const postgres = await start(true);
    const [found] = await withConnection(postgres.url, (connection) =>
      connection.execute(
        sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as waits,
          current_setting('full_page_writes') as pages, current_setting('wal_init_zero') as zeroes`,
      ),
    );
    expect(found).toEqual({ fsync: "on", waits: "on", pages: "on", zeroes: "off" });
    await postgres.stop();
  });

  test("an initdb that was killed is begun anew", async () => {
    beginAnew();
    mkdirSync(join(directory, "postgres.unfinished-1", "data"), { recursive: true });
    chmodSync(directory, 0o711);
    writeFileSync(join(directory, "postgres.unfinished-1", "data", "PG_VERSION"), "18\n");
    const postgres = await start();
    expect(readdirSync(directory).filter((name) => name.includes("unfinished"))).toEqual([]);
    await postgres.stop();
  });

  test("the number of a Postgres from before a restart of the machine, now another process's, is no obstacle", async () => {
    const first = await start();
    await write(first.url);
    await first.stop();
    writeFileSync(
      join(first.dataDirectory, "postmaster.pid"),
      `${process.pid}\n${first.dataDirectory}\n1\n1\n\n\n\nready\n`,
    );
    writeFileSync(join(directory, "owner.pid"), `${process.pid} another start of the machine\n`);
    const second = await start();
    expect(await read(second.url)).toEqual([{ value: 42 }]);
    await second.stop();
  });

  test("data of another major version is refused with what to do", async () => {
    const postgres = await start();
    await postgres.stop();
    writeFileSync(join(postgres.dataDirectory, "PG_VERSION"), "17\n");
    await expect(start()).rejects.toMatchObject({
      fault: "DIRECTORY_UNUSABLE",
      message: expect.stringMatching(/written by PostgreSQL 17.*brings 18.*move the folder away/),
    });
  });

  test("a folder that holds something else is left alone", async () => {
    beginAnew();
    mkdirSync(join(directory, "postgres"), { recursive: true });
    chmodSync(directory, 0o711);
    writeFileSync(join(directory, "postgres", "letters.txt"), "dear");
    await expect(start()).rejects.toMatchObject({ fault: "DIRECTORY_UNUSABLE" });
    expect(readFileSync(join(directory, "postgres", "letters.txt"), "utf8")).toBe("dear");
  });
});

describe("one directory, two Signalboxes", () => {
  test("the second is refused, told who has it, and leaves the first alone", async () => {
    const { child, url } = await startOther();
    await write(url);
    await expect(start()).rejects.toMatchObject({
      fault: "DIRECTORY_IN_USE",
      message: expect.stringContaining(`in use by Signalbox, process ${child.pid}. Stop that one first`),
    });
    expect(await read(url)).toEqual([{ value: 42 }]);
  });

  test("within one process too", async () => {
    const first = await start();
    await expect(start()).rejects.toMatchObject({ fault: "DIRECTORY_IN_USE" });
    await first.stop();
  });

  test("of three that begin a new one at once, one gets it", async () => {
    beginAnew();
    const outcomes = await Promise.allSettled([start(), start(), start()]);
    const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(started).toHaveLength(1);
    await started[0]?.stop();
  });
});

describe("killed with SIGKILL", () => {
  test("Postgres ends by itself, and the next start finds the data", async () => {
    const { child, url } = await startOther({}, true);
    await write(url);
    const pid = postmaster() ?? 0;
    child.kill("SIGKILL");
    await ended(pid);
    const next = await start();
    expect(await read(next.url)).toEqual([{ value: 42 }]);
    await next.stop();
  });

  test("a start that comes before Postgres has ended waits for it", async () => {
    const { child, url } = await startOther({}, true);
    await write(url);
    child.kill("SIGKILL");
    await once(child, "close");
    const next = await start();
    expect(await read(next.url)).toEqual([{ value: 42 }]);
    await next.stop();
  });

  test("with its watchdog: the next start ends the orphan and goes on", async () => {
    const { child, url } = await startOther({}, true);
    await write(url);
    const pid = postmaster() ?? 0;
    process.kill(parentOf(pid) ?? 0, "SIGKILL");
    child.kill("SIGKILL");
    await once(child, "close");
    const next = await start();
    expect(await read(next.url)).toEqual([{ value: 42 }]);
    expect(processIdentity(pid)).toBeUndefined();
    await next.stop();
  });

  test("Postgres too: it recovers from its log", async () => {
    const { child, url } = await startOther({}, true);
    await write(url);
    process.kill(postmaster() ?? 0, "SIGKILL");
    child.kill("SIGKILL");
    await once(child, "close");
    const next = await start();
    expect(await read(next.url)).toEqual([{ value: 42 }]);
    await next.stop();
  });
});

const hasProc = existsSync("/proc/self/stat");

test.runIf(hasProc)(
  "Ctrl-C at the terminal reaches its process group, of which Postgres is no part",
  async () => {
    const postgres = await start();
    const pid = postmaster() ?? 0;
    expect(groupOf(pid)).not.toBe(groupOf(process.pid));
    await postgres.stop();
  },
);

function groupOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[2];
}

test.runIf(hasProc)("Postgres gets nothing of our environment", async () => {
  process.env["SIGNALBOX_BOOTSTRAP_KEY"] = "secret-of-ours";
  const postgres = await start();
  expect(readFileSync(`/proc/${postmaster()}/environ`, "utf8")).not.toContain("secret-of-ours");
  delete process.env["SIGNALBOX_BOOTSTRAP_KEY"];
  await postgres.stop();
});

test("a backup can be put back, three are kept, and the address stays", async () => {
  const postgres = await start();
  await write(postgres.url);
  for (const tag of ["0001_one", "0002_two", "0003_three", "0004_four"]) {
    await postgres.backUp(tag);
  }
  await withConnection(postgres.url, (connection) => connection.execute(sql`drop table public.kept`));
  await postgres.stop();
  const backups = readdirSync(join(directory, "backups"));
  expect(backups.map((name) => name.split("-before-")[1])).toEqual(["0002_two", "0003_three", "0004_four"]);
  rmSync(postgres.dataDirectory, { recursive: true });
  renameSync(join(directory, "backups", backups.at(-1) ?? ""), postgres.dataDirectory);
  const restored = await start();
  expect(await read(restored.url)).toEqual([{ value: 42 }]);
  await restored.stop();
});

describe.runIf(isRoot)("as root", () => {
  const ordinary = { uid: 1, gid: 1 };

  test("Postgres runs as another user", async () => {
    const postgres = await start();
    expect(statSync(`/proc/${postmaster()}`).uid).not.toBe(0);
    expect(statSync(postgres.dataDirectory).uid).not.toBe(0);
    await postgres.stop();
  });

  test("below a 0700 folder the data is kept aside, always in the same place", async () => {
    beginAnew();
    chmodSync(root, 0o700);
    const first = await start();
    expect(first.dataDirectory.startsWith(root)).toBe(false);
    await write(first.url);
    await first.stop();
    chmodSync(root, 0o711);
    const second = await start();
    expect(second.dataDirectory).toBe(first.dataDirectory);
    expect(await read(second.url)).toEqual([{ value: 42 }]);
    await second.stop();
    rmSync(dirname(first.dataDirectory), { recursive: true });
  });

  test("data that became unreachable is named, not begun anew", async () => {
    await (await start()).stop();
    chmodSync(root, 0o700);
    await expect(start()).rejects.toMatchObject({
      fault: "DIRECTORY_UNUSABLE",
      message: expect.stringContaining("chmod o+x"),
    });
  });

  test.runIf(canEnter(import.meta.dirname, ordinary))(
    "an ordinary user's data stays theirs when root starts it, and is there for them again",
    async () => {
      beginAnew();
      mkdirSync(directory);
      chownSync(directory, ordinary.uid, ordinary.gid);
      const theirs = await startOther(ordinary);
      await write(theirs.url);
      expect(statSync(`/proc/${postmaster()}`).uid).toBe(ordinary.uid);
      theirs.child.stdin?.write("stop\n");
      await once(theirs.child, "close");
      const ours = await start();
      expect(statSync(`/proc/${postmaster()}`).uid).toBe(ordinary.uid);
      expect(await read(ours.url)).toEqual([{ value: 42 }]);
      await ours.stop();
      const again = await startOther(ordinary);
      expect(await read(again.url)).toEqual([{ value: 42 }]);
      expect(existsSync(join(directory, "owner.pid"))).toBe(true);
    },
  );
});
