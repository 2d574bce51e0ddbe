import { execFile, execFileSync } from "node:child_process";
import { lstatSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { spawnCommand } from "./testing/command.ts";
import { policyText, templatesText, workAs } from "./testing/house.ts";
import { interpose } from "./testing/interposed.ts";
import { openHouse } from "./testing/own-house.ts";

const execute = promisify(execFile);
const { around, fileAt, read, server, signalbox, write } = openHouse();

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
    const agent = workAs(server(), "success");
    const { code, out } = await signalbox(["task", "submit", "task.json", "--follow"]);
    await agent.stop();
    expect(out).toMatch(/build +dispatched/);
    expect(out).toMatch(/review +completed/);
    expect(out).toMatch(/✓ Pipeline \S+ completed after/);
    expect(code).toBe(0);
  });

  test("CLI-21: --json is one object a line, and a question ends it with 5 where that is asked", async () => {
    const agent = workAs(server(), "failure");
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
    expect(paused.out).toMatch(/Paused by +key \S/);
    expect(await signalbox(["pipelines", "resume", pipelineId])).toMatchObject({ code: 0 });
    const why = "closed \u001b[2J for good";
    expect(await signalbox(["pipelines", "abort", pipelineId, "--note", why])).toMatchObject({ code: 0 });
    const ended = await following;
    expect(ended).toMatchObject({ code: exitCodes.failed });
    expect(ended.out).toMatch(/aborted +by key \S+.*: closed \\u\{1b\}\[2J for good/);
    const shown = await signalbox(["pipelines", "show", pipelineId]);
    expect(shown.out).toMatch(/Ended by +key \S/);
    expect(shown.out).toMatch(/Reason +closed \\u\{1b\}\[2J for good/);
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
    const front = await interpose(server().url, {
      loses: (method) => method === "POST" && (lost += 1) === 1,
    });
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
    expect(err).toContain(`signs in at ${server().url.origin}`);
  });

  test("packs and instances", async () => {
    expect((await signalbox(["packs"])).out).toMatch(/cli-dev +1\.0\.0/);
    expect((await signalbox(["packs", "--query", "zebra"])).err).toContain("No pack fits.");
    expect((await signalbox(["instances"])).out).toMatch(/cli-dev +cli-dev-1/);
    const instance = "/v1/instances/cli-dev/cli-dev-1";
    expect((await server().call("POST", `${instance}/drain`, { note: "Its machine goes." })).status).toBe(
      204,
    );
    expect((await signalbox(["instances"])).out).toMatch(/cli-dev-1 .* asked to drain: Its machine goes\./);
    expect((await server().call("POST", `${instance}/resume`, { note: "" })).status).toBe(204);
    expect((await signalbox(["instances"])).out).not.toContain("drain");
  });
});

describe("the record", () => {
  test("CLI-40: search shows the newest first, export gives every entry as it was recorded", async () => {
    const { out } = await signalbox(["audit", "search", "--limit", "3"]);
    expect(out.trimEnd().split("\n")).toHaveLength(3);
    const { entries } = JSON.parse((await signalbox(["audit", "search", "--limit", "120", "--json"])).out);
    const lines = (await signalbox(["audit", "export"])).out.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(entries.length);
    const raw = await (await server().call("GET", "/v1/audit?limit=2")).text();
    expect(raw).toContain(lines[0]);
    expect(new Set(lines).size).toBe(lines.length);
    await signalbox(["audit", "export", "--event-type", "pack-registered", "-o", "packs.jsonl"]);
    expect(read("packs.jsonl").trimEnd().split("\n")).toHaveLength(1);
  });

  test("CLI-40: the proof in docs/audit.md comes to the same for an export of the command line and of REST", async () => {
    const listed = await signalbox(["pipelines", "list", "--limit", "1", "--json"]);
    const pipelineId: string = JSON.parse(listed.out).pipelines[0].pipelineId;
    const page = readFileSync(join(import.meta.dirname, "../../../docs/audit.md"), "utf8");
    const program = /```python\n(.*?)```/s.exec(page)?.[1] ?? "";
    const proofOf = (input: string) => execFileSync("python3", ["-c", program], { input, encoding: "utf8" });
    const byRest = await server().call("GET", `/v1/audit/export?pipelineId=${pipelineId}`);
    const proof = proofOf((await signalbox(["audit", "export", "--pipeline", pipelineId])).out);
    expect(proof).toMatch(/^1 [0-9a-f]{64}\n/);
    expect(proof).toBe(proofOf(await byRest.text()));
  });

  test("CLI-44: an export goes where a link leads, and into what is no file", async () => {
    const words = ["audit", "export", "--event-type", "pack-registered", "-o"];
    write("kept.jsonl", "an earlier one\n");
    symlinkSync("kept.jsonl", fileAt("latest.jsonl"));
    expect(await signalbox([...words, "latest.jsonl"])).toMatchObject({ code: 0 });
    expect(lstatSync(fileAt("latest.jsonl")).isSymbolicLink()).toBe(true);
    expect(read("kept.jsonl")).toBe(read("packs.jsonl"));

    execFileSync("mkfifo", [fileAt("pipe")]);
    const reader = execute("timeout", ["20", "cat", fileAt("pipe")]);
    expect(await signalbox([...words, "pipe"])).toMatchObject({ code: 0 });
    expect((await reader).stdout).toBe(read("packs.jsonl"));
    expect(lstatSync(fileAt("pipe")).isFIFO()).toBe(true);
  });

  test("a filter that is none is named by the server", async () => {
    const { code, err } = await signalbox(["audit", "search", "--event-type", "nothing"]);
    expect(code).toBe(exitCodes.failed);
    expect(err).toContain("eventType");
    for (const from of ["yesterday", "2026-02-30", "2026-01-31 12:00 (noon)", "2026-01-31T25:00Z"])
      expect((await signalbox(["audit", "search", "--from", from])).code).toBe(exitCodes.usage);
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
    expect(made.out).not.toContain(read("ci.key").trim());
    expect(statSync(fileAt("ci.key")).mode & 0o077).toBe(0);
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
    write("key", `${server().key}\n`);
    expect(
      await signalbox(["packs", "--key-file", "key"], { variables: { SIGNALBOX_KEY: "" } }),
    ).toMatchObject({ code: 0 });
  });

  test("CLI-41: tail goes on with its cursor, and outlives a restart of the server", async () => {
    const stop = new AbortController();
    let out = "";
    const front = await interpose(server().url);
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
    const back = await interpose(server().url, { port: front.port });
    await expect.poll(() => out, { timeout: 10_000 }).toContain("6.0.0");
    stop.abort();
    expect(await tailing).toMatchObject({ code: exitCodes.interrupted, err: "" });
    back.close();
    const lines = out.trimEnd().split("\n");
    expect(lines.length).toBe(2);
    expect(new Set(lines).size).toBe(lines.length);
  });
});
