import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@signalbox/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Demonstration, startDemonstration } from "./demonstration.ts";
import { manifests } from "./files.ts";
import { at, listAt, type Rest, restOf, textAt } from "./rest.ts";
import { runCommand } from "./run-command.ts";
import { type OwnServer, startServer } from "./server.ts";

const patience = { timeout: 60_000, interval: 200 };
const timing = { heartbeatEveryMs: 500, leaseWaitSeconds: 5 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: OwnServer;
let printed = "";
let folder: string;
let rest: Rest;
let demonstration: Demonstration;
const said: string[] = [];

const begin = () =>
  startDemonstration({ ...server, folder, soakSeconds: 3, timing, say: (line) => said.push(line) });

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "signalbox-demonstration-"));
  const environment = {
    PATH: process.env["PATH"],
    PORT: "0",
    DATABASE_URL: database.url,
    LOG_LEVEL: "error",
  };
  server = await startServer(environment, undefined, (text) => (printed += text));
  rest = restOf(server);
}, 60_000);
afterAll(async () => {
  await demonstration?.stop();
  await server.stop();
  await database.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function pipelineOf(taskId: string): Promise<unknown> {
  const { json } = await rest("GET", "/v1/pipelines?limit=100");
  const id = listAt(json, "pipelines").find((one) => textAt(one, "sourceTaskId") === taskId);
  return (await rest("GET", `/v1/pipelines/${textAt(id, "pipelineId")}`)).json;
}
const ends = (taskId: string, status: string) =>
  vi.waitFor(async () => {
    const pipeline = await pipelineOf(taskId);
    expect(`${taskId} ${textAt(pipeline, "status")}`).toBe(`${taskId} PIPELINE_STATUS_${status}`);
    return pipeline;
  }, patience);
const recordOf = async (pipeline: unknown): Promise<string> =>
  JSON.stringify(
    (await rest("GET", `/v1/audit?pipelineId=${textAt(pipeline, "pipelineId")}&limit=100`)).json,
  );
const stageOf = (pipeline: unknown, stageId: string) =>
  listAt(pipeline, "stages").find((stage) => textAt(stage, "stageId") === stageId);
const countOfPipelines = async () =>
  listAt((await rest("GET", "/v1/pipelines?limit=100")).json, "pipelines").length;
const git = async (...words: string[]) =>
  (await runCommand(["git", ...words], { cwd: demonstration.repository })).output;
const fileOn = (pipeline: unknown, path: string) =>
  git("show", `pipeline/${textAt(pipeline, "pipelineId")}:${path}`);

/** The administrator, signed in by the link that the start prints: no key answers an escalation. */
async function answerer() {
  const token = /sign-in#([\w-]+)/.exec(printed)?.[1];
  const headers = { "content-type": "application/json", origin: server.url };
  const body = JSON.stringify({ token });
  const signedIn = await fetch(`${server.url}/v1/session`, { method: "POST", headers, body });
  const cookie = signedIn.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return async (pipeline: unknown, answer: object) => {
    const { json } = await rest("GET", "/v1/escalations?open&limit=100");
    const own = listAt(json, "escalations").find(
      (one) => textAt(one, "pipelineId") === textAt(pipeline, "pipelineId"),
    );
    const resolved = await fetch(`${server.url}/v1/escalations/${textAt(own, "escalationId")}/resolve`, {
      method: "POST",
      headers: { ...headers, cookie },
      body: JSON.stringify({ comment: "As the demonstration shows.", ...answer }),
    });
    expect(resolved.status).toBe(200);
  };
}

const starting = (words: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...words], {
    env: { PATH: process.env["PATH"], SIGNALBOX_BOOTSTRAP_KEY: "k".repeat(40) },
    encoding: "utf8",
  });

describe("the demonstration", { timeout: 120_000 }, () => {
  test("that cannot start says why in words, and not where in the program it was found", () => {
    const unknown = starting(["--bogus"]);
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toMatch(
      /^The demonstration did not start\. Unknown option '--bogus'\. These are allowed:\n\nnpm run demo -- /,
    );
    expect(unknown.stderr).not.toMatch(/^\s+at /m);
    const away = starting(["--url", "http://127.0.0.1:1"]);
    expect([away.status, away.stdout]).toEqual([
      1,
      "  demo     http://127.0.0.1:1 is not reached. Is Signalbox running there?\n",
    ]);
  });

  test("touches nothing where somebody has begun to work already", async () => {
    const elsewhere = await createTestDatabase();
    const environment = {
      PATH: process.env["PATH"],
      PORT: "0",
      DATABASE_URL: elsewhere.url,
      LOG_LEVEL: "error",
    };
    const used = await startServer(environment, undefined, () => undefined);
    try {
      const ask = restOf(used);
      const [manifest] = manifests();
      await ask("POST", "/v1/packs", { ...manifest, packId: "somebodys", ownerDomains: ["billing"] });
      const refused = startDemonstration({ ...used, folder: join(folder, "used"), say: () => undefined });
      await expect(refused).rejects.toThrow(
        "the pack somebodys that is not the demonstration's. Nothing was touched.",
      );
      expect(listAt((await ask("GET", "/v1/packs")).json, "packs")).toHaveLength(1);
      expect(listAt((await ask("GET", "/v1/routing-policies")).json, "versions")).toEqual([]);
      expect(listAt((await ask("GET", "/v1/instances?packId=qa-engineer")).json, "instances")).toEqual([]);
    } finally {
      await used.stop();
      await elsewhere.dispose();
    }
  });

  test("one task fails its tests, is told so, and passes at the second attempt with what it really ran", async () => {
    demonstration = await begin();
    await demonstration.submitted;
    const pipeline = await ends("DEMO-2", "COMPLETED");
    expect(at(stageOf(pipeline, "implement"), "attemptNumber")).toBe(2);
    const record = await recordOf(pipeline);
    expect(record).toContain("Math.largest is not a function");
    expect(record).toContain(String.raw`\"node --test\" passed`);
    const text = await fileOn(pipeline, "src/numbers.js");
    expect(text).toContain("export function largest(numbers)");
    expect(text).toContain("Math.max(highest, next)");
    const artifacts = listAt(at(stageOf(pipeline, "implement"), "result"), "artifacts");
    expect(artifacts.length).toBeGreaterThan(1);
    for (const artifact of artifacts) {
      const committed = await fileOn(pipeline, textAt(artifact, "path"));
      expect(textAt(artifact, "digest")).toBe(
        `sha256:${createHash("sha256").update(committed).digest("hex")}`,
      );
    }
  });

  test("one is sent back by its review, and comes again with what was missing", async () => {
    const pipeline = await ends("DEMO-3", "COMPLETED");
    expect(at(pipeline, "rejectionsUsed")).toBe(1);
    expect(await recordOf(pipeline)).toContain("CHANGELOG.md does not say what changed");
    expect(await fileOn(pipeline, "CHANGELOG.md")).toContain("- Add initials to src/text.js.");
    const id = textAt(pipeline, "pipelineId");
    const turns = JSON.stringify((await rest("GET", `/v1/pipelines/${id}/turns?limit=100`)).json);
    expect(turns).toContain("say so in CHANGELOG.md");
    expect(turns).toContain("It holds in a clean clone, too.");
    const events = JSON.stringify((await rest("GET", `/v1/pipelines/${id}/events?limit=100`)).json);
    expect(events).toContain("I was told what went wrong before");
    expect(events).toContain("5 files, 0 faults");
    expect(said.filter((line) => line.includes("reporting"))).toEqual([]);
  });

  test("one is slow, and proves how long it held", async () => {
    const pipeline = await ends("DEMO-5", "COMPLETED");
    expect(await recordOf(pipeline)).toContain(String.raw`\"node soak.mjs --seconds 3\" passed`);
  });

  test("three ask a person, and go on with the answer", async () => {
    const [noRoute, unnamed, critical] = await Promise.all(
      ["DEMO-1", "DEMO-4", "DEMO-6"].map((id) => ends(id, "PAUSED")),
    );
    expect(textAt(stageOf(noRoute, "review"), "status")).toBe("STAGE_STATUS_COMPLETED");
    expect(JSON.stringify(at(noRoute, "openEscalations"))).toContain("verification");
    expect(JSON.stringify(at(unnamed, "openEscalations"))).toContain("What is shout to be called?");
    expect(textAt(stageOf(critical, "security-review"), "status")).not.toBe("STAGE_STATUS_COMPLETED");
    const answer = await answerer();
    await answer(noRoute, { option: "retry" });
    await answer(unnamed, { option: "answer", answer: "exclaim" });
    await answer(critical, { option: "advance" });
    await Promise.all(["DEMO-1", "DEMO-4", "DEMO-6"].map((id) => ends(id, "COMPLETED")));
    expect(await fileOn(unnamed, "src/text.js")).toContain("export function exclaim(text)");
    expect(await recordOf(critical)).toContain("0 findings");
  });

  test("a task that names no commands is held to the repository's own", async () => {
    const contract = { taskId: "MEAN", title: "Rename mean to average", acceptanceCriteria: ["it is"] };
    await rest("POST", "/v1/tasks", { templateId: "implement-and-review", contract });
    const pipeline = await ends("MEAN", "COMPLETED");
    expect(await fileOn(pipeline, "src/numbers.js")).toContain("export function average(numbers)");
    expect(await recordOf(pipeline)).toContain(String.raw`\"node --test\" passed`);
  });

  test("work that is aborted is killed with its programs, and leaves nothing behind", async () => {
    const contract = {
      taskId: "CANCELLED",
      title: "Try numbers",
      acceptanceCriteria: ["they hold"],
      environment: { testCommand: "node soak.mjs --seconds 600" },
    };
    const { json } = await rest("POST", "/v1/tasks", { taskType: "verification", contract });
    const work = join(folder, "work");
    await vi.waitFor(() => expect(readdirSync(work)).toHaveLength(1), patience);
    await rest("POST", `/v1/pipelines/${textAt(json, "pipelineId")}/abort`, {});
    await vi.waitFor(() => expect(readdirSync(work)).toEqual([]), patience);
  });

  test("started again it goes on where it was, at no cost to what was at work, and submits nothing twice", async () => {
    const contract = {
      taskId: "STOPPED",
      title: "Try numbers",
      acceptanceCriteria: ["they hold"],
      environment: { testCommand: "node soak.mjs --seconds 5" },
    };
    await rest("POST", "/v1/tasks", { taskType: "verification", contract });
    const work = join(folder, "work");
    await vi.waitFor(() => expect(readdirSync(work)).toHaveLength(1), patience);
    await demonstration.stop();
    const before = await countOfPipelines();
    demonstration = await begin();
    await demonstration.submitted;
    expect(await countOfPipelines()).toBe(before);
    const pipeline = await ends("STOPPED", "COMPLETED");
    expect(at(pipeline, "retriesUsed")).toBe(0);
    expect(await recordOf(pipeline)).toContain("INSTANCE_STOPPED");
    expect(said.filter((line) => line.includes("was submitted"))).toHaveLength(6);
  });
});
