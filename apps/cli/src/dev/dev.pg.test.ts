import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldEntries } from "@signalbox/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exitCodes } from "../exit-codes.ts";
import { type Around, runCommand } from "../testing/command.ts";
import { agentProgram, devPolicy, devTemplates, packText, modelProgram } from "../testing/yard.ts";

let folder: string;
const variables = { PATH: process.env["PATH"] ?? "", USER: "ada", SIGNALBOX_KEY: "not-for-programs" };
const words = (title: string) => [
  "dev",
  "--template",
  "diamond",
  "--title",
  title,
  "--criterion",
  "It is done",
];
const dev = (title: string, around: Around = {}, ...more: string[]) =>
  runCommand([...words(title), ...more], { folder, variables, ...around });
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const entriesIn = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): { payload: { action: string; actor: { id: string; type: string } } } => JSON.parse(line));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-dev-"));
  write("packs/builder.yaml", packText("builder", ["build"]));
  write("packs/builder.agent.yaml", 'command: [node, "{pack}/agent.mjs"]\n');
  write("packs/agent.mjs", agentProgram);
  write("packs/reviewer/manifest.yaml", packText("reviewer", ["review", "audit"]));
  write("packs/reviewer/agent.yaml", 'command: [node, "{pack}/model.mjs"]\nreads: prompt\n');
  write("packs/reviewer/model.mjs", modelProgram);
  write("config/routing-policy.yaml", devPolicy);
  write("config/pipeline-templates.yaml", devTemplates);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("CLI-70: a task runs to its end on this machine, one program at a time, and its record is in a file", async () => {
  const { code, out, err } = await dev("Say hello");
  expect(out).toMatch(/✓ Pipeline \S+ completed/);
  expect(code).toBe(0);
  expect(err).toContain("The deadline of 0s has passed");
  const [pipeline = ""] = readdirSync(join(folder, "docs/audit"));
  const entries = entriesIn(join(folder, "docs/audit", pipeline));
  expect(entries[0]?.payload.action).toBe("pipeline.created");
  expect(entries.at(-1)?.payload.action).toBe("pipeline.completed");
  const traced = readFileSync(join(folder, ".signalbox/traces", pipeline), "utf8")
    .trimEnd()
    .split("\n");
  const spans = traced.map((line): { name: string; parentSpanId: string; status: string } =>
    JSON.parse(line),
  );
  expect(spans[0]).toMatchObject({ name: "pipeline", parentSpanId: "", status: "ok" });
  expect(spans.filter(({ name }) => name === "agent_execution")).toHaveLength(4);
  expect(out).toContain(`Trace    .signalbox/traces/${pipeline}`);
  const log = readFileSync(join(folder, "runs.log"), "utf8").trimEnd().split("\n");
  // Each began when the one before had ended.
  expect(log.map((line) => line.split(" ")[0])).toEqual([
    "begin",
    "end",
    "begin",
    "end",
    "begin",
    "end",
    "begin",
    "end",
  ]);
  expect(log.join("\n")).not.toContain("not-for-programs");
  // A database is made for the folder before anything runs, which is long on a busy machine.
}, 90_000);

test("CLI-70: the example of docs/sacp.md runs as it says, the guesses of one program reaching the other", async () => {
  const example = join(import.meta.dirname, "../../../../examples/sacp");
  const { out, err } = await dev(
    "Find the email",
    {},
    "--template",
    "find-email",
    "--config",
    example,
    "--packs",
    join(example, "packs"),
  );
  expect([out, err]).toEqual([
    expect.stringMatching(/validate +completed +The valid email is jdoe@acme.com/),
    expect.anything(),
  ]);
  expect(out).toMatch(/apologise +skipped +branch not taken/);
  expect(out).toMatch(/✓ Pipeline \S+ completed/);
});

test("CLI-71: a question is asked at the terminal, and the answer is a person's", async () => {
  const { code, out } = await dev("Ask me", {
    inputIsTerminal: true,
    input: "nonsense\nabort\nIt is too late\n",
  });
  expect(out).toMatch(/Options +retry/);
  expect(out).toContain("aborted");
  expect(code).toBe(exitCodes.failed);
  const files = readdirSync(join(folder, "docs/audit")).toSorted();
  const answers = entriesIn(join(folder, "docs/audit", files.at(-1) ?? "")).filter(({ payload }) =>
    payload.action.startsWith("escalation.resolved"),
  );
  expect(answers).toMatchObject([
    { payload: { action: "escalation.resolved.abort", actor: { id: "ada", type: "ACTOR_TYPE_HUMAN" } } },
  ]);
});

test("CLI-72: where nobody is at a terminal a question ends the session with 5, and Ctrl-C with 130", async () => {
  const asked = await dev("Ask me", {}, "--json");
  expect(asked.code).toBe(exitCodes.waiting);
  const kinds = asked.out
    .trimEnd()
    .split("\n")
    .map((line): { kind: string } => JSON.parse(line))
    .map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["submitted", "stage", "question", "waiting"]));

  const stop = new AbortController();
  const stopped = await dev("Say hello", {
    interrupted: stop.signal,
    onOut: (text) => {
      if (text.includes("dispatched")) stop.abort();
    },
  });
  expect(stopped.code).toBe(exitCodes.interrupted);
});

test("CLI-70: a task of one stage needs no templates, and one with a template says where they were looked for", async () => {
  const bare = join(folder, "bare");
  write("bare/routing-policy.yaml", devPolicy);
  const around = { folder, variables };
  const task = ["--title", "Say hello", "--criterion", "It is done", "--config", bare];
  const { code, out, err } = await runCommand(["dev", "--task-type", "build", ...task], around);
  expect([out, err, code]).toEqual([
    expect.stringMatching(/✓ Pipeline \S+ completed/),
    expect.anything(),
    exitCodes.done,
  ]);
  const checked = await runCommand(["dev", "--check", "--config", bare], around);
  expect(checked.out).toContain("templates: none, as there is no");
  const refused = await runCommand(["dev", "--template", "diamond", ...task], around);
  expect(refused.code).toBe(exitCodes.usage);
  expect(refused.err).toMatch(/pipeline-templates.yaml cannot be read: there is no such file.*--task-type/);
});

test("FOLD-1: the file of each of these pipelines gives a state", () => {
  const records = readdirSync(join(folder, "docs/audit"));
  const folded = records.map((name) =>
    foldEntries(entriesIn(join(folder, "docs/audit", name)).map(({ payload }) => payload)),
  );
  expect(folded.length).toBeGreaterThan(4);
  expect(new Set(folded.map(({ kind }) => kind))).toEqual(new Set(["folded"]));
});
