import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "../exit-codes.ts";
import { runCommand } from "../testing/command.ts";
import { devPolicy, devTemplates, packText } from "../testing/yard.ts";
import { agentFromWords, answerOf, programOf, readAgentFile } from "./agent-file.ts";
import { resolutionFrom } from "./answer-from.ts";
import { auditFile } from "./audit-file.ts";
import { readDevDocuments } from "./dev-documents.ts";
import { DEGRADED_MS, ended, isDegraded, unused } from "./health.ts";
import { makeFolders } from "./make-folders.ts";
import { readPackFolder } from "./pack-folder.ts";
import { toolsAtHand, whyNotStarted } from "./tools-at-hand.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-packs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe("CLI-73: packs of a folder", () => {
  test("are files and folders, in YAML and JSON, each with its program", () => {
    write("good/one.yaml", packText("one", ["build"]));
    write("good/one.agent.yaml", "command: [run, it]\n");
    write("good/two/manifest.json", JSON.stringify({ packId: "two", packVersion: "1.0.0" }));
    write("good/notes/readme.txt", "no pack");
    const { packs, faults } = readPackFolder(join(folder, "good"), agentFromWords("claude -p"));
    expect(faults).toEqual([]);
    expect(packs.map(({ manifest, agent }) => [manifest.packId, agent.command, agent.reads])).toEqual([
      ["one", ["run", "it"], "envelope"],
      ["two", ["claude", "-p"], "prompt"],
    ]);
  });

  test.each([
    ["no-id.yaml", "packVersion: 1.0.0\n", "pack_id"],
    ["typo.yaml", `${packText("typo", [])}colour: red\n`, "colour"],
    ["broken.yaml", "a: [\n", "broken.yaml"],
    [
      "bomb.yaml",
      `a: &a [x]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [${`*${at === 0 ? "a" : `b${at - 1}`},`.repeat(9)}]`).join("\n")}\n`,
      "alias",
    ],
    ["alone.yaml", packText("alone", []), "--agent"],
  ])("a fault of %s is told by its file", (file, text, said) => {
    const own = file.replace(".yaml", "");
    write(`${own}/${file}`, text);
    const { faults } = readPackFolder(join(folder, own), undefined);
    expect(faults.map(({ file: where, message }) => `${where}: ${message}`).join("\n")).toContain(said);
  });

  test("an empty folder, none, and two packs of one name are faults", () => {
    mkdirSync(join(folder, "empty"));
    expect(readPackFolder(join(folder, "empty"), undefined).faults).toMatchObject([
      { file: ".", message: "holds no pack" },
    ]);
    expect(readPackFolder(join(folder, "none"), undefined).faults).toMatchObject([
      { file: ".", message: expect.stringContaining("is no folder") },
    ]);
    write("same/a.yaml", packText("same", []));
    write("same/b.yaml", packText("same", []));
    expect(readPackFolder(join(folder, "same"), agentFromWords("x")).faults).toMatchObject([
      { message: expect.stringContaining("2 packs called same") },
    ]);
  });
});

const variables = (name: string) => ({ PATH: "/bin", SIGNALBOX_KEY: "secret", TOKEN: "t", OTHER: "o" })[name];

describe("CLI-74: a program", () => {
  test("is given the variables that its file names, and no key", () => {
    const read = readAgentFile({
      command: ["{pack}/run", "{pack}"],
      pass: ["TOKEN"],
      environment: { A: "1" },
      directory: "work",
    });
    if (!read.success) throw read.error;
    expect(programOf(read.data, { packFolder: "/packs/one", workFolder: "/home", variables })).toEqual({
      command: "/packs/one/run",
      arguments: ["/packs/one"],
      directory: "/home/work",
      environment: { PATH: "/bin", TOKEN: "t", A: "1" },
      input: "envelope",
    });
  });

  test("that reads a prompt answers by the structured protocol, unless its file says otherwise", () => {
    expect(answerOf(agentFromWords(" claude  -p "))).toBe("sacp");
    const read = readAgentFile({ command: ["x"], reads: "prompt", answers: "result" });
    expect(read.success && answerOf(read.data)).toBe("result");
    for (const wrong of [
      {},
      { command: [] },
      { command: "x" },
      { command: ["x"], reads: "mail" },
      { command: ["x"], more: 1 },
    ])
      expect(readAgentFile(wrong).success).toBe(false);
  });
});

const files = (policy: string, templates: string) => ({
  "routing-policy": { file: "p.yaml", text: policy },
  "pipeline-templates": { file: "t.yaml", text: templates },
});

describe("CLI-75: policy and templates of a session", () => {
  const known = new Set(["builder", "reviewer"]);

  test("have no breaker and no hard deadline, under a version that says so, and are else the same", () => {
    const read = readDevDocuments(files(devPolicy, devTemplates), known);
    if (Array.isArray(read)) throw new Error("they have faults");
    const [policyText, templatesText] = read.texts;
    const policy = readDocument("routing-policy", policyText?.text ?? "");
    const templates = readDocument("pipeline-templates", templatesText?.text ?? "");
    if (policy.kind === "refused" || templates.kind === "refused") throw new Error("they cannot be read");
    expect(policy.document).toMatchObject({
      version: "1.0.0+dev",
      admission: { circuitBreaker: { errorThreshold: 10_000 } },
    });
    expect(policy.document.routes).toHaveLength(3);
    expect(templates.document.templates[0]?.policy.pipelineDeadline).toBeUndefined();
    expect(templates.document.templates[0]?.policy.maxTotalRetries).toBe(2);
    expect(read.deadlines.get("diamond")).toBe(50);
  });

  test("a policy that names a pack which is not in the folder has a fault", () => {
    const read = readDevDocuments(files(devPolicy, devTemplates), new Set(["builder"]));
    expect(read).toMatchObject([
      { file: "p.yaml", faults: [{ rule: "unknown_pack" }, { rule: "unknown_pack" }] },
    ]);
  });

  test("CLI-77: a program that cannot be started is a fault of what names it, told once", async () => {
    write("lost/packs/one.yaml", packText("builder", ["build"]));
    write("lost/packs/one.agent.yaml", "command: [./no-such-program]\n");
    write("lost/packs/two.yaml", packText("reviewer", ["review"]));
    write("lost/packs/three.yaml", packText("reviewer-2", ["review"]));
    write("lost/config/routing-policy.yaml", devPolicy);
    write(
      "lost/task.json",
      '{"taskType":"build","contract":{"taskId":"1","title":"a","acceptanceCriteria":["b"]}}',
    );
    for (const asked of [["--check"], ["task.json"]]) {
      const { code, out } = await runCommand(["dev", ...asked, "--agent", "./no-such-tool -p"], {
        folder: join(folder, "lost"),
      });
      expect(code).toBe(exitCodes.failed);
      expect(out).toContain("packs/one.agent.yaml: its program ./no-such-program cannot be run");
      expect(out.match(/--agent: its program \.\/no-such-tool cannot be run/g)).toHaveLength(1);
    }
  });

  test("`dev --check` tells every fault at once, and ends with 1", async () => {
    write("yard/packs/one.yaml", "packVersion: 1.0.0\n");
    write("yard/config/routing-policy.yaml", "routing_policy: 3\n");
    write(
      "yard/config/pipeline-templates.yaml",
      devTemplates.replace("depends_on_stages: [build]", "depends_on_stages: [none]"),
    );
    const { code, out } = await runCommand(["dev", "--check"], { folder: join(folder, "yard") });
    expect(code).toBe(exitCodes.failed);
    expect(out).toContain("packs/one.yaml: pack_id");
    expect(out).toMatch(/routing-policy\.yaml:1:\d+/);
    expect(out).toMatch(/pipeline-templates\.yaml:8:\d+/);
  });
});

test("CLI-76: an instance is degraded for a while after its program failed, and well again after", () => {
  const failed = ended(unused, true, 1_000);
  expect(isDegraded(unused, 0)).toBe(false);
  expect(isDegraded(failed, 1_000)).toBe(true);
  expect(isDegraded(failed, 1_000 + DEGRADED_MS)).toBe(false);
  expect(isDegraded(ended(failed, false, 1_500), 1_500)).toBe(false);
});

test("an answer has the parts that its option needs", () => {
  expect(resolutionFrom("extend", { extendBy: "30m" })).toEqual({ option: "extend", byMs: 1_800_000 });
  expect(resolutionFrom("extend", { extendBy: "soon" })).toBeUndefined();
  expect(resolutionFrom("rewind", { stageId: "a" })).toEqual({
    option: "rewind",
    stageId: "a",
    instructions: "",
  });
});

test("each entry is written once", () => {
  const file = auditFile(join(folder, "audit"), "p-1");
  file.keep([]);
  file.keep(["1", "2"]);
  file.keep(["1", "2"]);
  file.keep(["1", "2", "3"]);
  expect(readFileSync(file.path, "utf8")).toBe("1\n2\n3\n");
});

test("CLI-77: a program is looked for where it would be started", () => {
  write("bin/tool", "#!/bin/sh\n");
  chmodSync(join(folder, "bin/tool"), 0o755);
  write("bin/text", "no program");
  const started = (command: string, path?: string, directory = folder) =>
    whyNotStarted({ command, directory, environment: path === undefined ? {} : { PATH: path } });
  expect(started("tool", `/nowhere:${join(folder, "bin")}`)).toBeUndefined();
  expect(started("tool", "bin")).toBeUndefined();
  expect(started("bin/tool", "")).toBeUndefined();
  expect(started(join(folder, "bin/tool"), "")).toBeUndefined();
  expect(started("anything")).toBeUndefined();
  expect(started("tool", "/nowhere")).toContain("in no folder of PATH");
  expect(started("bin", folder)).toContain("in no folder of PATH");
  expect(started("./tool", "bin")).toContain("cannot be run");
  expect(started("tool", "bin", join(folder, "gone"))).toContain("is not there");
});

test("tools of a task are at hand where a program would find them", () => {
  const path = process.env["PATH"];
  const contract = { environment: { testCommand: "node --test && no-such-tool-at-all x" } } as Parameters<
    typeof toolsAtHand
  >[0];
  expect(toolsAtHand(contract, path)).toEqual(["node"]);
  expect(toolsAtHand(undefined, path)).toEqual([]);
});

test("a folder that cannot be made is refused by its option, before anything is begun", () => {
  write("a-file", "in the way");
  const within = join(folder, "a-file", "record");
  expect(() => makeFolders({ "--audit": join(folder, "kept"), "--traces": within })).toThrow(
    `--traces: ${within} cannot be written to (`,
  );
  expect(() => makeFolders({ "--audit": join(folder, "kept") })).not.toThrow();
});
