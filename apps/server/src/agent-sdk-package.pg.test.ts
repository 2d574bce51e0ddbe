import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { withKey } from "./testing/rest-client.ts";
import { startTestServer } from "./testing/test-server.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "signalbox-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A package as it would be published, installed beside what it depends on. */
function install(name: "contracts" | "agent-sdk"): void {
  const source = join(root, "packages", name);
  const options = {
    cwd: source,
    stdio: "pipe",
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env["PATH"]}` },
  } as const;
  execFileSync("tsc", ["--project", "tsconfig.npm.json"], options);
  const packed = join(folder, "packed", name);
  mkdirSync(packed, { recursive: true });
  execFileSync("pnpm", ["pack", "--pack-destination", packed], options);
  const target = join(folder, "node_modules/@signalbox", name);
  mkdirSync(target, { recursive: true });
  const [archive = ""] = readdirSync(packed);
  execFileSync("tar", ["-xzf", join(packed, archive), "-C", target, "--strip-components=1"]);
}

test(
  "the example of the SDK's README runs from the package as it would be published",
  { timeout: 60_000 },
  async ({ onTestFinished }) => {
    install("contracts");
    install("agent-sdk");
    for (const library of ["@bufbuild", "zod"])
      symlinkSync(
        join(root, "packages/contracts/node_modules", library),
        join(folder, "node_modules", library),
      );
    const readme = readFileSync(join(root, "packages/agent-sdk/README.md"), "utf8");
    const example = /```js\n([^]*?)```/.exec(readme)?.[1] ?? "";
    writeFileSync(join(folder, "agent.mjs"), example);
    writeFileSync(
      join(folder, "sums.test.mjs"),
      `import { test } from "node:test"; test("sums", () => undefined);`,
    );

    const server = await startTestServer();
    onTestFinished(() => server.dispose());
    const call = withKey(server, server.adminKey);
    const agent = spawn(process.execPath, ["agent.mjs"], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        SIGNALBOX_URL: server.origin,
        SIGNALBOX_KEY: await server.keyOf("agent"),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    agent.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    onTestFinished(() => void agent.kill("SIGKILL"));
    await vi.waitUntil(
      async () =>
        (await call("GET", "/v1/instances?packId=test-runner")).json.at("instances", 0) !== undefined,
      { timeout: 20_000, interval: 100 },
    );
    const policy = `
routing_policy:
  version: "1.0.0"
  routes: [{ task_type: verification, allowed_pack_ids: [test-runner], fallback_pack_id: null }]
  admission: { max_global_queue_depth: 9, max_per_pack_concurrent: 9, circuit_breaker: { error_threshold: 9, window: 9s, half_open_after: 9s } }
  defaults: { max_candidate_agents: 3, require_healthy: true }`;
    await call("POST", "/v1/routing-policies", {
      body: policy,
      headers: { "content-type": "application/yaml" },
    });
    await call("POST", "/v1/routing-policies/1.0.0/publish");
    const contract = { taskId: "T-1", title: "Check the sums", acceptanceCriteria: ["they hold"] };
    const environment = { testCommand: "node --test sums.test.mjs" };
    const task = { taskType: "verification", contract: { ...contract, environment } };
    const pipelineId = (await call("POST", "/v1/tasks", { body: task })).json.text("pipelineId");
    await vi.waitFor(
      async () => {
        const { json } = await call("GET", `/v1/pipelines/${pipelineId}`);
        expect(`${String(json.at("status"))} ${errors}`).toBe("PIPELINE_STATUS_COMPLETED ");
      },
      { timeout: 20_000, interval: 100 },
    );
    const turns = await call("GET", `/v1/pipelines/${pipelineId}/turns`);
    expect(JSON.stringify(turns.json.value)).toContain("The tests say it.");
  },
);
