import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type RestClient, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const program = join(import.meta.dirname, "../../../examples/python/agent.py");
const patience = { timeout: 15_000, interval: 50 };
const policy = `
routing_policy:
  version: "1.0.0"
  routes:
    - { task_type: verification, allowed_pack_ids: [python-tester], fallback_pack_id: null }
  admission:
    max_global_queue_depth: 10
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "1s" }
  defaults: { max_candidate_agents: 3, require_healthy: true }
`;
const tests = `
import time, unittest
class Sums(unittest.TestCase):
    def test_right(self):
        self.assertEqual(1 + 1, 2)
    def test_wrong(self):
        self.assertEqual(1 + 1, 3)
    def test_slow(self):
        time.sleep(60)
`;

describe("the Python agent of the examples", () => {
  let server: TestServer;
  let call: RestClient;
  let folder: string;
  let agent: ReturnType<typeof start>;
  let said = "";

  function start(key: string, url = server.origin) {
    const words = ["--url", url, "--folder", folder, "--every", "1", "--finish-within", "1"];
    const child = spawn("python3", ["-u", program, ...words], {
      env: { PATH: process.env["PATH"] ?? "", SIGNALBOX_KEY: key },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    return child;
  }

  beforeAll(async () => {
    server = await startTestServer();
    call = withKey(server, server.adminKey);
    folder = mkdtempSync(join(tmpdir(), "signalbox-python-"));
    writeFileSync(join(folder, "test_sums.py"), tests);
    agent = start(await server.keyOf("agent"));
    await vi.waitUntil(() => said.includes("waits for work"), patience);
    await call("POST", "/v1/routing-policies", {
      body: policy,
      headers: { "content-type": "application/yaml" },
    });
    await call("POST", "/v1/routing-policies/1.0.0/publish");
  });
  afterAll(async () => {
    agent.kill("SIGKILL");
    await server.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const submit = async (testCommand: string) => {
    const contract = { taskId: "T-1", title: "Check the sums", acceptanceCriteria: ["they hold"] };
    const body = { taskType: "verification", contract: { ...contract, environment: { testCommand } } };
    return (await call("POST", "/v1/tasks", { body })).json.text("pipelineId");
  };
  const ends = (pipelineId: string, status: string) =>
    vi.waitFor(async () => {
      const { json } = await call("GET", `/v1/pipelines/${pipelineId}`);
      expect(json.at("status")).toBe(`PIPELINE_STATUS_${status}`);
      return json;
    }, patience);

  test("runs a task's tests and proves that they passed", async () => {
    const pipelineId = await submit("python3 -m unittest test_sums.Sums.test_right");
    await ends(pipelineId, "COMPLETED");
    const record = await call("GET", `/v1/audit?pipelineId=${pipelineId}&limit=100`);
    expect(JSON.stringify(record.json.value)).toContain(`test_sums.Sums.test_right\\" passed`);
  });

  test("a test that fails is put to a person, with what the agent says of it", async () => {
    const pipelineId = await submit("python3 -m unittest test_sums.Sums.test_wrong");
    await ends(pipelineId, "PAUSED");
    const open = await call("GET", "/v1/escalations?open");
    expect(open.json.at("escalations", 0)).toMatchObject({
      pipelineId,
      problem: expect.stringContaining("TEST_SUITE_FAILED"),
    });
  });

  test("a cancelled task's command is killed, and the agent takes the next", async () => {
    const slow = await submit("python3 -m unittest test_sums.Sums.test_slow");
    await vi.waitFor(() => expect(said).toContain("Sums.test_slow"), patience);
    await call("POST", `/v1/pipelines/${slow}/abort`, { body: {} });
    await vi.waitFor(() => expect(said).toContain("STALE_DISPATCH"), patience);
    await ends(await submit("python3 -m unittest test_sums.Sums.test_right"), "COMPLETED");
  });

  test("asked to stop it stops, though nobody answers", async () => {
    const alone = start("any", "http://127.0.0.1:9");
    await vi.waitFor(() => expect(said).toContain("/v1/packs: "), patience);
    alone.kill("SIGTERM");
    expect(await once(alone, "exit")).toEqual([0, null]);
  });

  test("asked to stop it takes no more, hands back what it cannot finish at no cost to the task, and leaves the registry", async () => {
    const before = said.length;
    const slow = await submit("python3 -m unittest test_sums.Sums.test_slow");
    await vi.waitFor(() => expect(said.slice(before)).toContain("Sums.test_slow"), patience);
    agent.kill("SIGTERM");
    await once(agent, "exit");
    expect(agent.exitCode).toBe(0);
    const { json: pipeline } = await call("GET", `/v1/pipelines/${slow}`);
    expect(pipeline.at("stages", 0)).toMatchObject({ status: "STAGE_STATUS_READY", retriesUsed: 0 });
    const record = await call("GET", `/v1/audit?pipelineId=${slow}&limit=100`);
    expect(JSON.stringify(record.json.value)).toContain("INSTANCE_STOPPED");
    await vi.waitFor(async () => {
      const { json } = await call("GET", "/v1/instances?packId=python-tester");
      expect(json.at("instances", 0, "presence")).not.toBe("present");
    }, patience);
  });
});
