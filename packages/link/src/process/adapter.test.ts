import { create, toJson } from "@bufbuild/protobuf";
import { AgentResultSchema, Outcome, TaskEnvelopeSchema } from "@signalbox/contracts";
import { afterEach, expect, test } from "vitest";
import { createProcessAdapter, type ProcessOptions } from "./adapter.ts";

const to = { tenantId: "default", packId: "writer", instanceId: "writer-1", address: "" };
const envelope = (dispatchId = "p-d0.1", responseFormat = "") =>
  create(TaskEnvelopeSchema, {
    contract: { title: "Write it", acceptanceCriteria: ["it reads well"] },
    execution: { dispatchId, attemptNumber: 1 },
    responseFormat,
  });

const adapters: ReturnType<typeof createProcessAdapter>[] = [];
afterEach(async () => {
  for (const adapter of adapters.splice(0)) await adapter.close();
});

/** A program that is a line of JavaScript. */
function running(script: string, options: Partial<ProcessOptions> & { input?: "prompt" } = {}) {
  const adapter = createProcessAdapter({
    program: () => ({
      command: process.execPath,
      arguments: ["-e", script],
      directory: import.meta.dirname,
      environment: {},
      input: options.input ?? "envelope",
    }),
    ...options,
  });
  adapters.push(adapter);
  return adapter;
}
const never = new AbortController().signal;
const result = toJson(
  AgentResultSchema,
  create(AgentResultSchema, { status: { outcome: Outcome.SUCCESS, summary: "done" } }),
);
const answering = `process.stdin.resume(); process.stdin.on("end", () => console.log(${JSON.stringify(JSON.stringify(result))}));`;

test("a program reads the envelope's JSON and answers with a result's", async () => {
  const echo = `let text = ""; process.stdin.on("data", (part) => text += part); process.stdin.on("end", () =>
    console.log(JSON.stringify({ dispatchId: JSON.parse(text).execution.dispatchId })));`;
  expect(await running(echo).run(to, envelope("p-d0.7"), never)).toMatchObject({
    kind: "answered",
    result: { dispatchId: "p-d0.7" },
  });
});

test("a language model reads a prompt with the protocol in it, and its text becomes a result", async () => {
  const model = `let text = ""; process.stdin.on("data", (part) => text += part); process.stdin.on("end", () =>
    console.log("Sure!\\n" + JSON.stringify({ thought: "", status: "success", data: {
      told: text.includes("SYSTEM PROTOCOL"), title: text.split("\\n")[0] }, message: "done" })));`;
  const answer = await running(model, { input: "prompt" }).run(
    to,
    envelope("p-d0.1", "json_standard"),
    never,
  );
  expect(answer).toMatchObject({
    result: { response: { status: "success", data: { told: true, title: "# Write it" } } },
  });
});

test.each([
  ["is not there", { command: "/no/such/program" }, "not-taken"],
  ["has no folder", { directory: "/no/such/folder" }, "not-taken"],
])("a program that %s has taken nothing", async (_, changes, kind) => {
  const program = {
    command: process.execPath,
    arguments: [],
    directory: "/",
    environment: {},
    input: "envelope",
  } as const;
  const adapter = createProcessAdapter({ program: () => ({ ...program, ...changes }) });
  await expect(adapter.run(to, envelope(), never)).rejects.toMatchObject({ kind });
});

test.each([
  ["dies", "over", `process.kill(process.pid, "SIGKILL")`, /SIGKILL/],
  ["fails", "failed", `console.error("no such model"); process.exit(3)`, /exit 3[^]*no such model/],
  ["talks", "unreadable", `console.log("I am done.")`, /exit 0 and wrote no AgentResult: it has "I" at/],
  [
    "never stops talking",
    "unreadable",
    `setInterval(() => process.stdout.write("x".repeat(1 << 20)), 1)`,
    /more than is read/,
  ],
])("a program that %s works on it no more", async (_, kind, script, message) => {
  await expect(running(script).run(to, envelope(), never)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
});

test("what a program started ends with it, also when it is told to stop and does not listen", async () => {
  const lines: string[] = [];
  const stubborn = `process.on("SIGTERM", () => undefined);
    const child = require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
    console.error("pid " + child.pid); setInterval(() => {}, 1000);`;
  const adapter = running(stubborn, { stopWithinMs: 200, onLine: (_, line) => lines.push(line) });
  const answer = adapter.run(to, envelope(), never);
  answer.catch(() => undefined);
  await expect.poll(() => lines[0], { timeout: 10_000 }).toMatch(/^pid \d+$/);
  await adapter.cancel(to, { dispatchId: "p-d0.1", attemptNumber: 1, reason: "" });
  await expect(answer).rejects.toMatchObject({ kind: "over" });
  const pid = Number(lines[0]?.slice(4));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

/** One that was killed and that nobody has waited for is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const { readFileSync } = process.getBuiltinModule("node:fs");
  return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

test("programs run one at a time, and one that is called off before its turn has taken nothing", async () => {
  const adapter = running(`setInterval(() => {}, 1000)`);
  const first = new AbortController();
  const second = new AbortController();
  const one = adapter.run(to, envelope("p-d0.1"), first.signal);
  const two = adapter.run(to, envelope("p-d1.1"), second.signal);
  one.catch(() => undefined);
  second.abort();
  await expect(two).rejects.toMatchObject({ kind: "not-taken" });
  first.abort();
  await expect(one).rejects.toMatchObject({ kind: "over" });
  const after = running(answering);
  expect(await after.run(to, envelope(), never)).toMatchObject({ kind: "answered" });
});

test("nothing of this process's environment reaches a program", async () => {
  process.env["SECRET_OF_THIS_PROCESS"] = "x";
  const env = `process.stdin.resume(); process.stdin.on("end", () => console.log(JSON.stringify({ dispatchId: String(process.env.SECRET_OF_THIS_PROCESS) })))`;
  expect(await running(env).run(to, envelope(), never)).toMatchObject({
    result: { dispatchId: "undefined" },
  });
  delete process.env["SECRET_OF_THIS_PROCESS"];
});
