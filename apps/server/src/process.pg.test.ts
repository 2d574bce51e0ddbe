import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@signalbox/testkit";
import { afterAll, beforeAll, describe, expect, test, vi, type TestContext } from "vitest";
import { bearer, manifestJson } from "./testing/test-server.ts";
import { descendantsOf, isAlive, startProcess, type ServerProcess } from "./testing/server-process.ts";

let database: TestDatabase;
/** Launches for one test and makes sure that it does not outlive it. */
function launch({ onTestFinished }: TestContext, environment: Record<string, string> = {}): ServerProcess {
  const started = startProcess({ DATABASE_URL: database.url, ...environment });
  onTestFinished(async () => {
    started.kill("SIGKILL");
    await started.ended;
  });
  return started;
}
const linkOf = (text: string) => /sign-in#([\w-]+)/.exec(text)?.[1];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.dispose());

/** Starting takes seconds of a busy machine, and the tests wait for processes rather than for this one. */
const patience = { timeout: 60_000 };

describe.concurrent("the process", patience, () => {
  test("prints one block on standard output, its log as JSON lines on standard error, and stops on SIGTERM", async (context) => {
    const started = launch(context);
    const url = await started.ready;
    expect((await fetch(new URL("/readyz", url))).status).toBe(200);
    started.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    const [title = "", ...lines] = started.output().trim().split("\n").filter(Boolean);
    expect(title).toMatch(/^Signalbox \d+\.\d+\.\d+ is ready\.$/);
    expect(lines.map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      "Open",
      "Sign in",
      "Data",
      "Role",
      "Stop",
    ]);
    expect(lines[1]).toMatch(new RegExp(`${url.origin}/sign-in#[\\w-]{43}  \\(once, within 15 minutes\\)$`));
    const logged = started.errors().trim().split("\n");
    for (const line of logged) expect(() => JSON.parse(line)).not.toThrow();
    expect(logged.join()).toContain("SIGTERM: stopping");
  });

  test("stops when the terminal closes", async (context) => {
    const started = launch(context);
    await started.ready;
    started.kill("SIGHUP");
    expect(await started.ended).toBe(0);
  });

  test("the two signals that Ctrl-C under npm sends are one wish", async (context) => {
    const started = launch(context);
    await started.ready;
    started.kill("SIGINT");
    started.kill("SIGINT");
    expect(await started.ended).toBe(0);
    expect(started.errors()).not.toContain("hurried");
  });

  test("wrong values stop the start with all their names, and never show a secret", async (context) => {
    const started = launch(context, { PORT: "http", LOG_LEVEL: "loud", SIGNALBOX_BOOTSTRAP_KEY: "hunter2" });
    expect(await started.ended).toBe(1);
    expect(started.output()).toBe("");
    expect(started.errors()).toMatch(
      /PORT: read "http"[^]*SIGNALBOX_BOOTSTRAP_KEY[^]*LOG_LEVEL: read "loud"/,
    );
    expect(started.errors()).not.toContain("hunter2");
  });

  test("a port that is taken is named, with the variable to change", async (context) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const started = launch(context, { PORT: String(port) });
    expect(await started.ended).toBe(1);
    expect(started.errors().trim()).toBe(
      `Signalbox did not start. Port ${port} is taken by another process. ` +
        `Stop that one, or choose another port: PORT=${port + 1} npm start`,
    );
    other.close();
  });

  test("a database that cannot be reached is named without its password", async (context) => {
    const started = launch(context, { DATABASE_URL: "postgres://signalbox:hunter2@127.0.0.1:1/signalbox" });
    expect(await started.ended).toBe(1);
    expect(started.errors()).toContain("DATABASE_URL");
    expect(started.errors()).not.toContain("hunter2");
    expect(started.errors()).not.toContain("    at ");
  });

  test("the role engine answers health and nothing else", async (context) => {
    const started = launch(context, { SIGNALBOX_ROLE: "engine" });
    const url = await started.ready;
    expect(started.output()).not.toContain("Sign in");
    expect((await fetch(new URL("/readyz", url))).status).toBe(200);
    expect((await fetch(new URL("/v1/packs", url))).status).toBe(404);
  });

  test("stops by itself when the launcher was killed without a word", async () => {
    const code = `
      const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(join(import.meta.dirname, "main.ts"))}],
        { env: { ...process.env, npm_lifecycle_event: "start" }, stdio: ["ignore", "inherit", "ignore"] });
      console.log("pid " + child.pid);`;
    const launcher = spawn(process.execPath, ["--eval", code], {
      env: { PATH: process.env["PATH"] ?? "", PORT: "0", DATABASE_URL: database.url },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    launcher.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    await vi.waitFor(() => expect(output).toContain("Ctrl-C"), 50_000);
    const pid = Number(/pid (\d+)/.exec(output)?.[1]);
    expect(isAlive(pid)).toBe(true);
    launcher.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000);
  });
});

describe("with the embedded PostgreSQL", patience, () => {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-process-"));
  chmodSync(directory, 0o711);
  const SIGNALBOX_BOOTSTRAP_KEY = "k".repeat(10) + "0123456789abcdefghijklmnop";
  const environment = { DATABASE_URL: "", SIGNALBOX_DATA: join(directory, "data"), SIGNALBOX_BOOTSTRAP_KEY };
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const headers = { "content-type": "application/json", ...bearer(SIGNALBOX_BOOTSTRAP_KEY) };

  test("a stop leaves no process behind, and the next start finds the data and prints a fresh link", async (context) => {
    const first = launch(context, environment);
    const url = await first.ready;
    const created = await fetch(new URL("/v1/packs", url), { method: "POST", headers, body: manifestJson() });
    expect(created.status).toBe(201);
    const children = descendantsOf(first.pid);
    expect(children.length).toBeGreaterThan(1);
    first.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), 5_000);

    const second = launch(context, environment);
    const found = await fetch(new URL("/v1/packs", await second.ready), { headers });
    expect(await found.json()).toMatchObject({ packs: [{ packId: "senior-ts-dev" }] });
    expect(linkOf(second.output())).not.toBe(linkOf(first.output()));
    second.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });

  test("a start that is called off half-way leaves no process behind", async (context) => {
    const started = launch(context, environment);
    await vi.waitFor(() => expect(descendantsOf(started.pid).length).toBeGreaterThan(1), 30_000);
    const children = descendantsOf(started.pid);
    started.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), 5_000);
    expect(started.output()).toBe("");
  });

  test("a killed process is followed by one that recovers", async (context) => {
    const killed = launch(context, environment);
    await killed.ready;
    killed.kill("SIGKILL");
    await killed.ended;
    const next = launch(context, environment);
    const found = await fetch(new URL("/v1/packs", await next.ready), { headers });
    expect(await found.json()).toMatchObject({ packs: [{ packId: "senior-ts-dev" }] });
    next.kill("SIGTERM");
    expect(await next.ended).toBe(0);
  });

  test("a Postgres that ends by itself ends the process in order, and the next start recovers", async (context) => {
    const first = launch(context, environment);
    await first.ready;
    const [postmaster = 0] = readFileSync(join(directory, "data/postgres/postmaster.pid"), "utf8")
      .split("\n")
      .map(Number);
    process.kill(postmaster, "SIGKILL");
    expect(await first.ended).toBe(1);
    expect(first.errors()).toContain("the embedded PostgreSQL ended: stopping");
    expect(first.errors()).not.toContain("unhandled");
    const second = launch(context, environment);
    expect((await fetch(new URL("/readyz", await second.ready))).status).toBe(200);
    second.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });
});
