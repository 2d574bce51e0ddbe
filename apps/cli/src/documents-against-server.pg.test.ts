import { execFile, execFileSync } from "node:child_process";
import { lstatSync, symlinkSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { spawnCommand } from "./testing/command.ts";
import { policyText } from "./testing/house.ts";
import { interpose } from "./testing/interposed.ts";
import { openHouse } from "./testing/own-house.ts";

const execute = promisify(execFile);
const { around, fileAt, read, server, signalbox, write } = openHouse();

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

  test("CLI-11, CLI-44: pull gives the exact text back, and writes over nothing else", async () => {
    const text = `# a comment that no parser keeps — ümlaut\n${policyText("1.0.1")}`;
    write("commented.yaml", text);
    await signalbox(["policy", "push", "commented.yaml"]);
    expect((await signalbox(["policy", "pull", "1.0.1"])).out).toBe(text);
    expect(await signalbox(["policy", "pull", "1.0.1", "-o", "pulled.yaml"])).toMatchObject({
      code: 0,
      out: "",
    });
    expect(read("pulled.yaml")).toBe(text);
    const other = await signalbox(["policy", "pull", "-o", "pulled.yaml"]);
    expect(other).toMatchObject({ code: exitCodes.failed });
    expect(other.err).toContain("--force");
    expect(read("pulled.yaml")).toBe(text);
    symlinkSync("pulled.yaml", fileAt("link.yaml"));
    await signalbox(["policy", "pull", "1.0.0", "-o", "link.yaml", "--force"]);
    expect(lstatSync(fileAt("link.yaml")).isSymbolicLink()).toBe(true);
    expect(read("pulled.yaml")).toBe((await signalbox(["policy", "pull", "1.0.0"])).out);
    execFileSync("mkfifo", [fileAt("pipe")]);
    const reader = execute("timeout", ["20", "cat", fileAt("pipe")]);
    expect(await signalbox(["policy", "pull", "1.0.1", "-o", "pipe"])).toMatchObject({ code: 0 });
    expect((await reader).stdout).toBe(text);
    const missing = await signalbox(["policy", "pull", "9.9.9"]);
    expect(missing).toMatchObject({ code: exitCodes.failed, out: "" });
    expect(missing.err).toContain("There is no routing policy 9.9.9");
  });

  test("CLI-12: diff shows the lines and what they mean", async () => {
    write(
      "changed.yaml",
      policyText("1.1.0")
        .replace("max_global_queue_depth: 50", "max_global_queue_depth: 70")
        .replace("task_type: review\n", "task_type: review\n      min_risk_tier: CRITICAL\n")
        .concat("handoffs:\n  - to_task_types: [review]\n"),
    );
    const shown = await signalbox(["policy", "diff", "changed.yaml", "--exit-code"]);
    expect(shown.code).toBe(exitCodes.failed);
    expect(shown.out).toContain("+    max_global_queue_depth: 70");
    expect(shown.out).toContain("~ admission.max_global_queue_depth: 50 → 70");
    expect(shown.out).toContain('~ route review min_risk_tier: not said → "CRITICAL"');
    expect(shown.out).toContain('~ handoffs: not said → [{"to_task_types":["review"]}]');
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
    const front = await interpose(server().url, {
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
    expect((await signalbox(["template", "list"])).err).toContain(
      "There is no version yet: `signalbox template push",
    );
  });
});
