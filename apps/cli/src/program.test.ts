import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { programFor } from "./program.ts";
import { binary, runCommand, spawnCommand } from "./testing/command.ts";
import type { World } from "./world.ts";

const nowhere = {} as World;

function leaves(
  command: CommandUnknownOpts,
  path: string[] = [],
): [path: string[], command: CommandUnknownOpts][] {
  if (command.commands.length === 0) return [[path, command]];
  return command.commands
    .filter((inner) => inner.name() !== "help")
    .flatMap((inner) => leaves(inner, [...path, inner.name()]));
}
const commands = leaves(programFor(nowhere)).filter(
  ([path]) => !["complete", "completion"].includes(path[0] ?? ""),
);

describe("every command", () => {
  test.each(commands.map(([path]) => [path.join(" "), path] as const))(
    "%s has help and --json",
    async (_name, path) => {
      const { code, out, err } = await runCommand([...path, "--help"]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain(`Usage: signalbox ${path.join(" ")}`);
      expect(out).toContain("--json");
    },
  );

  test("CLI-60: docs/cli.md names each", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../docs/cli.md"), "utf8");
    for (const [path] of commands) expect(guide).toContain(`signalbox ${path.join(" ")}`);
  });
});

describe("used wrongly", () => {
  test.each([
    [["polcy"], "Did you mean policy?"],
    [["policy", "chek"], "Did you mean check?"],
    [["task", "submit", "--titel", "x"], "Did you mean --title?"],
    [["pipelines", "list", "--status", "odd"], "Allowed choices are pending"],
    [["pipelines", "list", "--limit", "0"], "a whole number from 1 to 10000"],
    [["policy", "check"], "missing required argument 'file'"],
    [["pipelines", "show", ".."], "is no id"],
    [["packs", "--url", "ftp://x"], "an address such as"],
    [["packs", "--url", "http://u:p@x"], "is not used"],
    [["packs", "--key-file", "none"], "cannot be read"],
    [["policy", "check", "none.yaml"], "there is no such file"],
    [["task", "submit"], "--template or --task-type"],
    [["task", "submit", "--stop-at-question", "task.json"], "goes with --follow"],
    [["audit", "tail", "--after", "x"], "only what an earlier tail"],
  ])("CLI-61: %j ends with 2 and says what is allowed", async (words, said) => {
    const { code, out, err } = await runCommand(words);
    expect({ code, out }).toEqual({ code: exitCodes.usage, out: "" });
    expect(err).toContain(said);
  });

  test.each([
    [["packs", "--jsno", "--json"], "unknown option '--jsno'", "Did you mean --json?"],
    [["polcy", "--json"], "unknown command 'polcy'", "Did you mean policy?"],
    [["policy", "--json"], "unknown option '--json'", "--help says how it is used"],
    [
      ["pipelines", "list", "--status", "odd", "--json"],
      "argument 'odd' is invalid",
      "--help says how it is used",
    ],
  ])("CLI-61: %j is told to a program as a value too", async (words, detail, hint) => {
    const { code, out, err } = await runCommand(words);
    expect({ code, out }).toEqual({ code: exitCodes.usage, out: "" });
    expect(JSON.parse(err)).toEqual({
      error: {
        code: "USAGE",
        detail: expect.stringContaining(detail),
        violations: [],
        hints: expect.arrayContaining([hint]),
        exitCode: exitCodes.usage,
        requestId: null,
      },
    });
  });

  test("CLI-3: a key that cannot be one is refused, and not repeated", async () => {
    const { code, err } = await runCommand(["packs"], { variables: { SIGNALBOX_KEY: "almost a\nkey" } });
    expect(code).toBe(exitCodes.usage);
    expect(err).not.toContain("almost");
  });
});

const complete = async (...words: string[]) => (await spawnCommand(["complete", "--", ...words]).ended).out;

describe("completion", () => {
  test("CLI-62: offers commands, options and choices", async () => {
    expect(await complete("policy", "")).toMatch(/^check\t/);
    expect(await complete("task", "submit", "--risk", "")).toContain("critical");
    expect(await complete("audit", "tail", "--")).toContain("--after");
  });

  test.each([
    [["policy", "check", ""], ":0"],
    [["policy", "check", "config/rou"], ":0"],
    [["template", "pull", "1.0.0", "-o", ""], ":0"],
    [["template", "pull", "--output=con"], ":0"],
    [["task", "submit", "--url", "http://127.0.0.1:1", ""], ":0"],
    [["dev", "--packs", ""], ":16"],
    [["dev", "--title", "check", ""], ":0"],
    [["dev", "--title", ""], ":4"],
    [["policy", "check", "a.yaml", ""], ":4"],
    [["pipelines", "show", ""], ":4"],
  ])("CLI-62: %j leaves files to the shell where a file is wanted: %s", async (words, directive) => {
    const lines = (await complete(...words)).trimEnd().split("\n");
    expect(lines.at(-1)).toBe(directive);
  });

  test.each(["bash", "zsh", "fish"])("CLI-62: there is a script for %s", async (shell) => {
    const { code, out } = await spawnCommand(["completion", shell]).ended;
    expect(code).toBe(0);
    expect(out).toContain(shell === "bash" ? "complete -- " : "signalbox complete --");
  });

  test("CLI-63: bash needs no package for it, reads it twice, offers what fits and runs nothing that is only typed", async () => {
    const { out } = await spawnCommand(["completion", "bash"]).ended;
    const folder = mkdtempSync(join(tmpdir(), "completion-"));
    const typed: [line: string, words: string, offered: string][] = [
      ["signalbox pol", "signalbox pol", "policy"],
      ["signalbox policy pu", "signalbox policy pu", "push pull"],
      ["signalbox key create x --role ad", "signalbox key create x --role ad", "admin"],
      ["signalbox key create x --role=ad", "signalbox key create x --role = ad", "admin"],
      ["signalbox policy check $(touch made) `touch made` ", "signalbox policy check x ''", ""],
    ];
    const tries = typed.map(
      ([line, words]) =>
        `COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _signalbox; echo "\${COMPREPLY[*]}"`,
    );
    const script = [`signalbox() { "$NODE" "$BINARY" "$@"; }`, out, out, ...tries].join("\n");
    const env = { PATH: process.env["PATH"] ?? "", NODE: process.execPath, BINARY: binary };
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({
      stdout: typed.map(([, , offered]) => `${offered}\n`).join(""),
      stderr: "",
    });
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe("what is not Signalbox", () => {
  let [status, answer] = [200, "<html>hello</html>"];
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(status, { location: "/elsewhere", "retry-after": "0" }).end(answer);
  });
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    server.close();
  });
  const packs = (...words: string[]) => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    return runCommand(["packs", "--url", `http://127.0.0.1:${port}`, ...words]);
  };

  test.each([
    [200, "<html>hello</html>", "not what this command expects"],
    [200, '{"packs":{}}', "not what this command expects"],
    [404, "not here", "answered 404, and not as Signalbox does"],
    [302, "", "sends elsewhere"],
    [500, '{"code":7}', "answered 500"],
    [
      503,
      '{"code":"UNAVAILABLE","detail":"\\u001b[31mThe database is away."}',
      "\\u{1b}[31mThe database is away.",
    ],
  ])("CLI-4: %i %s ends with 3", async (code, text, said) => {
    [status, answer] = [code, text];
    asked = 0;
    const ended = await packs();
    expect(ended).toMatchObject({ code: exitCodes.unreachable, out: "" });
    expect(ended.err).toContain(said);
    // A key must not follow to wherever an answer points.
    expect(asked).toBe(1);
  });

  test("CLI-4: who asked too often waits for as long as it is told, four times at most", async () => {
    [status, answer] = [429, '{"code":"RATE_LIMITED","detail":"Too many requests."}'];
    asked = 0;
    const ended = await packs();
    expect(ended).toMatchObject({ code: exitCodes.unreachable, out: "" });
    expect(ended.err).toContain("Too many requests.");
    expect(asked).toBe(4);
  });

  test("CLI-4: nobody there ends with 3, and says where it was looked for", async () => {
    const { code, err } = await runCommand(["packs", "--json", "--url", "http://127.0.0.1:1"]);
    expect(code).toBe(exitCodes.unreachable);
    expect(JSON.parse(err)).toMatchObject({
      error: { detail: expect.stringContaining("http://127.0.0.1:1") },
    });
  });
});
