import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectAccessible, expectNoSidewaysScroll } from "../accessible.ts";
import { expect, ownStack, pressTwice } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";

const { signedInTest: test } = ownStack("connect");

const policy = `routing_policy:
  version: "1.0.0"
  routes:
    - { task_type: verification, allowed_pack_ids: [painter], fallback_pack_id: null }
  admission:
    max_global_queue_depth: 10
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "1s" }
  defaults: { max_candidate_agents: 3, require_healthy: true }
`;

test("the agent in Python that the page gives works as it is pasted, with the key that the page makes", async ({
  page,
  stack,
}) => {
  await registerPack(
    stack,
    manifestOf("painter", "1.0.0", {
      supportedTaskTypes: ["verification"],
      providedTools: ["test", "sleep"],
    }),
  );
  const rest = async (method: string, path: string, body?: string) => {
    const headers = {
      authorization: `Bearer ${stack.key}`,
      ...(body === undefined
        ? {}
        : { "content-type": body.startsWith("{") ? "application/json" : "application/yaml" }),
    };
    const answer = await fetch(stack.origin + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    expect(answer.ok, `${path}: ${text}`).toBe(true);
    return text;
  };
  await rest("POST", "/v1/routing-policies", policy);
  await rest("POST", "/v1/routing-policies/1.0.0/publish", "{}");
  await page.goto("/packs/painter/versions/1.0.0?view=connect");
  await pressTwice(page.getByRole("button", { name: "Make a key for this pack" }));
  await expect(page.getByRole("region", { name: "The key of this agent" })).toBeFocused();
  // Whatever was asked for twice would be there before what is asked for now.
  expect((await rest("GET", "/v1/keys")).match(/"label":"agent of painter"/g)).toHaveLength(1);
  const key = (await page.getByText(/^sbx_[\w-]{43}$/).textContent()) ?? "";
  await page.getByRole("button", { name: "I have it" }).press("Enter");
  await expect(page.getByRole("button", { name: "Make a key for this pack" })).toBeFocused();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page, [2560, 360]);

  const program = await page.locator("pre").filter({ hasText: "agent.py" }).textContent();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-connect-"));
  // The shell gives way to the program, so that what is ended is the program.
  const agent = spawn(
    "sh",
    ["-c", (program ?? "").replace("\npython3 agent.py", "\nexec python3 agent.py")],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, SIGNALBOX_KEY: key },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  for (const stream of [agent.stdout, agent.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  const submit = async (testCommand: string) => {
    const contract = {
      taskId: testCommand,
      title: "Check",
      acceptanceCriteria: ["it passes"],
      environment: { testCommand },
    };
    const answer = await rest("POST", "/v1/tasks", JSON.stringify({ taskType: "verification", contract }));
    return /"pipelineId":"([^"]+)"/.exec(answer)?.[1] ?? "";
  };
  try {
    await expect.poll(() => said, { timeout: 20_000 }).toContain("waits for work");
    const passes = await submit("test -f agent.py");
    await expect
      .poll(() => rest("GET", `/v1/pipelines/${passes}`), { message: said, timeout: 20_000 })
      .toContain("PIPELINE_STATUS_COMPLETED");
    const fails = await submit("test -f nothing");
    await expect
      .poll(() => rest("GET", `/v1/pipelines/${fails}`), { timeout: 20_000 })
      .toContain("TEST_SUITE_FAILED");
    const endless = await submit("sleep 600");
    await expect.poll(() => said, { timeout: 20_000 }).toContain("sleep 600");
    await rest("POST", `/v1/pipelines/${endless}/abort`, `{"note":"no more"}`);
    await expect.poll(() => said, { timeout: 20_000 }).toContain("STALE_DISPATCH");
  } finally {
    agent.kill("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  }
});
