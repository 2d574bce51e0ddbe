import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@signalbox/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { type Around, runCommand, spawnCommand } from "./testing/command.ts";
import { manifest, policyText, templatesText, workAs } from "./testing/house.ts";
import { interpose } from "./testing/interposed.ts";
import { type ServerProcess, startServer } from "./testing/server-process.ts";

let database: TestDatabase;
let server: ServerProcess;
let folder: string;
const around = (more: Around = {}): Around => ({
  folder,
  ...more,
  variables: { ...server.variables, ...more.variables },
});
const signalbox = (words: readonly string[], more?: Around) => runCommand(words, around(more));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

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

describe("documents", () => {
  test("CLI-10: what was never published is pushed as a draft, and published where that is asked", async () => {
    write("policy.yaml", policyText("1.0.0"));
    const draft = await signalbox(["policy", "push", "policy.yaml"]);
    expect(draft).toMatchObject({ code: 0 });
    expect(draft.out).toContain("routing policy 1.0.0 is a draft, edit 1");
    const published = await signalbox(["policy", "push", "policy.yaml", "--publish", "--json"]);
    expect(JSON.parse(published.out)).toMatchObject({
      version: "1.0.0",
      status: "active",
      draft: "nothing",
      replaces: null,
    });
    const again = await signalbox(["policy", "push", "policy.yaml", "--publish"]);
    expect(again.out).toContain("is there already, active");
  });

  test("CLI-10: a push whose reader goes away (`| head`) is pushed all the same", async () => {
    write("unread.yaml", policyText("1.0.9"));
    const { child, ended } = spawnCommand(["policy", "push", "unread.yaml"], around());
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, err: "" });
    expect((await signalbox(["policy", "pull", "1.0.9"])).out).toBe(policyText("1.0.9"));
  });

  test("CLI-11: pull gives the exact text back, and writes over nothing else", async () => {
    const text = `# a comment that no parser keeps — ümlaut\n${policyText("1.0.1")}`;
    write("commented.yaml", text);
    await signalbox(["policy", "push", "commented.yaml"]);
    expect((await signalbox(["policy", "pull", "1.0.1"])).out).toBe(text);
    expect(await signalbox(["policy", "pull", "1.0.1", "-o", "pulled.yaml"])).toMatchObject({
      code: 0,
      out: "",
    });
    expect(readFileSync(join(folder, "pulled.yaml"), "utf8")).toBe(text);
    const other = await signalbox(["policy", "pull", "-o", "pulled.yaml"]);
    expect(other).toMatchObject({ code: exitCodes.failed });
    expect(other.err).toContain("--force");
    expect(readFileSync(join(folder, "pulled.yaml"), "utf8")).toBe(text);
    const missing = await signalbox(["policy", "pull", "9.9.9"]);
    expect(missing).toMatchObject({ code: exitCodes.failed, out: "" });
    expect(missing.err).toContain("There is no routing policy 9.9.9");
  });

  test("CLI-12: diff shows the lines and what they mean", async () => {
    write(
      "changed.yaml",
      policyText("1.1.0").replace("max_global_queue_depth: 50", "max_global_queue_depth: 70"),
    );
    const shown = await signalbox(["policy", "diff", "changed.yaml", "--exit-code"]);
    expect(shown.code).toBe(exitCodes.failed);
    expect(shown.out).toContain("+    max_global_queue_depth: 70");
    expect(shown.out).toContain("~ admission maxGlobalQueueDepth: 50 → 70");
    expect(await signalbox(["policy", "diff", "policy.yaml", "--exit-code"])).toMatchObject({
      code: 0,
      out: "",
    });
    expect((await signalbox(["policy", "diff", "changed.yaml", "8.8.8"])).code).toBe(exitCodes.failed);
  });

  test("CLI-13: what somebody published or changed meanwhile is not written over", async () => {
    write("mine.yaml", policyText("2.0.0"));
    await signalbox(["policy", "push", "mine.yaml"]);
    write("mine.yaml", `${policyText("2.0.0")}# mine\n`);
    expect(await signalbox(["policy", "push", "mine.yaml", "--edit", "1"])).toMatchObject({ code: 0 });
    write("mine.yaml", `${policyText("2.0.0")}# mine, again\n`);
    const stale = await signalbox(["policy", "push", "mine.yaml", "--edit", "1"]);
    expect(stale).toMatchObject({ code: exitCodes.failed });
    expect(stale.err).toContain("was changed since edit 1 was pulled");

    write("other.yaml", policyText("2.1.0"));
    // Between what was shown and what is written somebody else is faster.
    const front = await interpose(server.url, {
      before: async (method, path) => {
        if (method === "POST" && path.endsWith("/2.0.0/publish"))
          await signalbox(["policy", "push", "other.yaml", "--publish"]);
      },
    });
    const raced = await signalbox(["policy", "push", "mine.yaml", "--publish", "--url", front.url]);
    front.close();
    expect(raced.code).toBe(exitCodes.failed);
    expect(raced.err).toContain(
      "policy 2.0.0 was not published: it was to take the place of 1.0.0, but 2.1.0 is active now",
    );
    expect(JSON.parse((await signalbox(["policy", "pull", "--json"])).out)).toMatchObject({
      version: "2.1.0",
    });
  });

  test("a published version keeps its text, and --dry-run keeps nothing", async () => {
    write("rewritten.yaml", `${policyText("1.0.0")}# another\n`);
    const rewritten = await signalbox(["policy", "push", "rewritten.yaml"]);
    expect(rewritten.err).toContain("what was published never changes");
    write("tried.yaml", policyText("3.0.0"));
    expect((await signalbox(["policy", "push", "tried.yaml", "--publish", "--dry-run"])).out).toContain(
      "would be active",
    );
    expect((await signalbox(["policy", "pull", "3.0.0"])).code).toBe(exitCodes.failed);
  });

  test("check --online knows the packs", async () => {
    write("unknown.yaml", policyText("4.0.0").replaceAll("cli-dev", "nobody"));
    expect((await signalbox(["policy", "check", "unknown.yaml"])).code).toBe(0);
    const online = await signalbox(["policy", "check", "unknown.yaml", "--online"]);
    expect(online.code).toBe(exitCodes.failed);
    expect(online.out).toMatch(/unknown\.yaml:\d+:\d+: .*nobody/);
  });

  test("list is a table, and pages by its cursor", async () => {
    const first = await signalbox(["policy", "list", "--limit", "2", "--json"]);
    const { versions, nextCursor } = JSON.parse(first.out);
    expect(versions).toHaveLength(2);
    const second = await signalbox(["policy", "list", "--cursor", nextCursor], {
      columns: 60,
      variables: { NO_COLOR: "1" },
    });
    expect(second.out).toMatch(/^VERSION/);
    for (const line of second.out.trimEnd().split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    expect((await signalbox(["template", "list"])).err).toContain("There is no pipeline templates yet");
  });
});

describe("tasks", () => {
  beforeAll(async () => {
    write("house.yaml", policyText("9.0.0"));
    await signalbox(["policy", "push", "house.yaml", "--publish"]);
    write("templates.yaml", templatesText);
    await signalbox(["template", "push", "templates.yaml", "--publish"]);
    write(
      "task.json",
      JSON.stringify({
        templateId: "build-and-review",
        contract: { taskId: "T-1", title: "Say hello", acceptanceCriteria: ["It does"] },
      }),
    );
  });

  test("CLI-20: a task is followed to its end, a line for each thing that happens", async () => {
    const agent = workAs(server, "success");
    const { code, out } = await signalbox(["task", "submit", "task.json", "--follow"]);
    await agent.stop();
    expect(out).toMatch(/build +dispatched/);
    expect(out).toMatch(/review +completed/);
    expect(out).toMatch(/✓ Pipeline \S+ completed after/);
    expect(code).toBe(0);
  });

  test("CLI-21: --json is one object a line, and a question ends it with 5 where that is asked", async () => {
    const agent = workAs(server, "failure");
    const words = [
      "task",
      "submit",
      "--template",
      "build-and-review",
      "--title",
      "Say no",
      "--criterion",
      "It does",
    ];
    const { code, out } = await signalbox([...words, "--follow", "--stop-at-question", "--json"]);
    await agent.stop();
    const said = out
      .trimEnd()
      .split("\n")
      .map((line): { kind: string } => JSON.parse(line));
    expect(said.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["submitted", "stage", "question", "waiting"]),
    );
    expect(code).toBe(exitCodes.waiting);
  });

  test("CLI-22: an aborted pipeline ends who follows it with 1", async () => {
    const { out: id } = await signalbox(["task", "submit", "task.json"]);
    const pipelineId = id.trim();
    const following = signalbox(["pipelines", "follow", pipelineId]);
    expect(await signalbox(["pipelines", "pause", pipelineId, "--note", "wait"])).toMatchObject({ code: 0 });
    const paused = await signalbox(["pipelines", "show", pipelineId]);
    expect(paused.out).toMatch(/Paused +person wait/);
    expect(paused.out).toMatch(/Paused by +key\//);
    expect(await signalbox(["pipelines", "resume", pipelineId])).toMatchObject({ code: 0 });
    expect(await signalbox(["pipelines", "abort", pipelineId])).toMatchObject({ code: 0 });
    const ended = await following;
    expect(ended).toMatchObject({ code: exitCodes.failed });
    expect(ended.out).toContain("aborted");
    const again = await signalbox(["pipelines", "abort", pipelineId]);
    expect(again.code).toBe(exitCodes.failed);
    expect(again.err).toContain("INVALID_STATE");
  });

  test("CLI-23: Ctrl-C stops following, says how to go on, and leaves the pipeline alone", async () => {
    const { out: id } = await signalbox(["task", "submit", "task.json"]);
    const { child, ended, out } = spawnCommand(["pipelines", "follow", id.trim()], around());
    await expect.poll(out, { timeout: 10_000 }).toContain("build");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: exitCodes.interrupted });
    expect(out()).toContain(`signalbox pipelines follow ${id.trim()}`);
    expect((await signalbox(["pipelines", "list", "--status", "running", "--json"])).out).toContain(
      id.trim(),
    );
    await signalbox(["pipelines", "abort", id.trim()]);
  });

  test("what the server says of a task is shown by its field", async () => {
    const { code, err } = await signalbox([
      "task",
      "submit",
      "--template",
      "none",
      "--title",
      "t",
      "--criterion",
      "c",
    ]);
    expect(code).toBe(exitCodes.failed);
    expect(err).toMatch(/templateId: "none" is in no active version/);
    const piped = await signalbox(["task", "submit", "-"], {
      input: '{"templateId":"build-and-review","colour":1}',
    });
    expect(piped.err).toContain("colour");
  });

  test("CLI-25: an answer that was lost is asked for again, and makes no second task", async () => {
    let lost = 0;
    const front = await interpose(server.url, { loses: (method) => method === "POST" && (lost += 1) === 1 });
    const words = ["task", "submit", "--task-type", "build", "--title", "Once only", "--criterion", "c"];
    const { code, out } = await signalbox([...words, "--url", front.url], { sleep: () => pause(10) });
    front.close();
    expect({ code, lost }).toEqual({ code: 0, lost: 2 });
    const { pipelines } = JSON.parse((await signalbox(["pipelines", "list", "--json"])).out);
    const made = pipelines.filter(
      ({ sourceTaskId }: { sourceTaskId: string }) => sourceTaskId === "once-only",
    );
    expect(made).toMatchObject([{ pipelineId: out.trim() }]);
    await signalbox(["pipelines", "abort", out.trim()]);
  });

  test("CLI-26: the stream tells a follower at once, who asks for nothing meanwhile", async () => {
    const { out: id } = await signalbox(["task", "submit", "task.json"]);
    let waits = 0;
    const following = signalbox(["pipelines", "follow", id.trim()], {
      sleep: async (milliseconds, signal) => {
        waits += 1;
        await pause(milliseconds, undefined, { signal }).catch(() => undefined);
      },
    });
    // Without the stream it would look every 2 s at the least.
    const looksMeanwhile = async () => {
      const before = waits;
      await pause(2_500);
      return waits - before;
    };
    await expect.poll(looksMeanwhile, { timeout: 15_000 }).toBe(0);
    await signalbox(["pipelines", "abort", id.trim()]);
    expect((await following).code).toBe(exitCodes.failed);
  });

  test("CLI-30: a key cannot answer a question, and is told why", async () => {
    const { escalations } = JSON.parse((await signalbox(["escalations", "list", "--json"])).out);
    const { escalationId } = escalations[0];
    expect((await signalbox(["escalations", "show", escalationId])).out).toMatch(/Options +.*abort/);
    const { code, err } = await signalbox([
      "escalations",
      "resolve",
      escalationId,
      "abort",
      "--comment",
      "no",
    ]);
    expect(code).toBe(exitCodes.notAllowed);
    expect(err).toContain("for a person, signed in as themselves");
    expect(err).toContain(`signs in at ${server.url.origin}`);
  });

  test("packs and instances", async () => {
    expect((await signalbox(["packs"])).out).toMatch(/cli-dev +1\.0\.0/);
    expect((await signalbox(["packs", "--query", "zebra"])).err).toContain("No pack fits.");
    expect((await signalbox(["instances"])).out).toMatch(/cli-dev +cli-dev-1/);
  });
});

describe("the record", () => {
  test("CLI-40: search shows the newest first, export gives every entry as it was recorded", async () => {
    const { out } = await signalbox(["audit", "search", "--limit", "3"]);
    expect(out.trimEnd().split("\n")).toHaveLength(3);
    const { entries } = JSON.parse((await signalbox(["audit", "search", "--limit", "120", "--json"])).out);
    const lines = (await signalbox(["audit", "export"])).out.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(entries.length);
    const raw = await (await server.call("GET", "/v1/audit?limit=2")).text();
    expect(raw).toContain(lines[0]);
    expect(new Set(lines).size).toBe(lines.length);
    await signalbox(["audit", "export", "--event-type", "pack-registered", "-o", "packs.jsonl"]);
    expect(readFileSync(join(folder, "packs.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(1);
  });

  test("a filter that is none is named by the server", async () => {
    const { code, err } = await signalbox(["audit", "search", "--event-type", "nothing"]);
    expect(code).toBe(exitCodes.failed);
    expect(err).toContain("eventType");
    expect((await signalbox(["audit", "search", "--from", "yesterday"])).code).toBe(exitCodes.usage);
  });

  test("`| head` ends it quietly", async () => {
    const { child, ended } = spawnCommand(["audit", "export"], around());
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, err: "" });
  });
});

describe("the connection", () => {
  test("CLI-1: a key that the server does not know, or that is missing, is said so", async () => {
    const unknown = await signalbox(["packs"], { variables: { SIGNALBOX_KEY: "nobodys-key" } });
    expect(unknown).toMatchObject({ code: exitCodes.notAllowed, out: "" });
    expect(unknown.err).toContain("unknown, expired or revoked");
    const missing = await signalbox(["packs", "--json"], { variables: { SIGNALBOX_KEY: "" } });
    expect(JSON.parse(missing.err)).toMatchObject({
      error: { code: "UNAUTHENTICATED", exitCode: exitCodes.notAllowed },
    });
  });

  test("CLI-6: a key is made into a file that only its owner may read, works from there, and is revoked", async () => {
    const made = await signalbox(["key", "create", "ci", "--role", "viewer", "-o", "ci.key", "--json"]);
    const { keyId } = JSON.parse(made.out);
    expect(made.out).not.toContain(readFileSync(join(folder, "ci.key"), "utf8").trim());
    expect(statSync(join(folder, "ci.key")).mode & 0o077).toBe(0);
    const asCi = (...words: string[]) =>
      signalbox([...words, "--key-file", "ci.key"], { variables: { SIGNALBOX_KEY: "" } });
    expect(await asCi("packs")).toMatchObject({ code: 0 });
    expect(await asCi("key", "list")).toMatchObject({ code: exitCodes.notAllowed });
    expect((await signalbox(["key", "list"])).out).toMatch(/ci +viewer/);
    expect((await signalbox(["key", "create", "ci", "--role", "viewer", "-o", "ci.key"])).err).toContain(
      "already",
    );
    expect(await signalbox(["key", "revoke", keyId])).toMatchObject({ code: 0 });
    expect(await asCi("packs")).toMatchObject({ code: exitCodes.notAllowed });
    const shown = await signalbox(["key", "create", "qa", "--role", "agent", "--pack", "cli-dev"]);
    expect(shown.out.trim()).toMatch(/^[A-Za-z0-9._~+/=-]{20,}$/);
  });

  test("CLI-2: a key comes from a file too", async () => {
    write("key", `${server.key}\n`);
    expect(
      await signalbox(["packs", "--key-file", "key"], { variables: { SIGNALBOX_KEY: "" } }),
    ).toMatchObject({ code: 0 });
  });

  test("CLI-41: tail goes on with its cursor, and outlives a restart of the server", async () => {
    const stop = new AbortController();
    let out = "";
    const front = await interpose(server.url);
    const tailing = signalbox(["audit", "tail", "-n", "0", "--json", "--url", front.url], {
      interrupted: stop.signal,
      onOut: (text) => (out += text),
      sleep: () => pause(20),
    });
    // It begins with what is recorded after it began.
    await expect.poll(front.served).toBeGreaterThan(1);
    write("before.yaml", policyText("5.0.0"));
    await signalbox(["policy", "push", "before.yaml"]);
    await expect.poll(() => out, { timeout: 10_000 }).toContain("5.0.0");
    front.close();
    write("meanwhile.yaml", policyText("6.0.0"));
    await signalbox(["policy", "push", "meanwhile.yaml"]);
    const back = await interpose(server.url, { port: front.port });
    await expect.poll(() => out, { timeout: 10_000 }).toContain("6.0.0");
    stop.abort();
    expect(await tailing).toMatchObject({ code: exitCodes.interrupted, err: "" });
    back.close();
    const lines = out.trimEnd().split("\n");
    expect(lines.length).toBe(2);
    expect(new Set(lines).size).toBe(lines.length);
  });
});
