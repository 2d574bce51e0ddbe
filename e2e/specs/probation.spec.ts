import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { expect, ownStack, type Page } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";
import type { Stack } from "../stack.ts";

const { signedInTest: test } = ownStack("probation");

const policy = (version: string, probationAfter: string) => `routing_policy:
  version: "${version}"
  routes:
    - { task_type: verification, allowed_pack_ids: [prober], fallback_pack_id: null }
  admission:
    max_global_queue_depth: 10
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 50, window: "60s", half_open_after: "1s" }
    probation_after: "${probationAfter}"
  defaults: { max_candidate_agents: 3, require_healthy: true }
`;
const ref = { packId: "prober", instanceId: "prober-1" };

async function ask({ origin, key }: Stack, path: string, body: string | object, status = 200) {
  const isText = typeof body === "string";
  const answer = await fetch(origin + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": isText ? "application/yaml" : "application/json",
    },
    body: isText ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, `${path}: ${text}`).toBe(status);
  return text;
}

async function publish(stack: Stack, version: string, probationAfter: string): Promise<void> {
  await ask(stack, "/v1/routing-policies", policy(version, probationAfter), 201);
  await ask(stack, `/v1/routing-policies/${version}/publish`, {});
}

const beat = (stack: Stack) =>
  ask(stack, "/v1/heartbeats", { ...ref, health: { status: "HEALTH_STATUS_HEALTHY" }, leaseTtl: "60s" });

/** One that says nothing of the task is invalid. */
async function reportNonsense(stack: Stack): Promise<void> {
  const contract = { taskId: crypto.randomUUID(), title: "Check", acceptanceCriteria: ["it passes"] };
  await ask(stack, "/v1/tasks", { taskType: "verification", contract }, 201);
  const leased = await ask(stack, "/v1/leases", { ...ref, maxTasks: 1, waitSeconds: 20 });
  const dispatchId = /"dispatchId":"([^"]+)"/.exec(leased)?.[1] ?? "";
  await ask(stack, `/v1/dispatches/${encodeURIComponent(dispatchId)}/result`, { trace: {} }, 422);
}

async function expectFit(page: Page): Promise<void> {
  for (const theme of ["dark", "light"] as const) await expectNoViolation(page, theme);
  await expectNoSidewaysScroll(page, [2560, 360]);
}

test("an instance that its results quarantined works on probation when the policy says so; the page tells when and since when", async ({
  page,
  stack,
}) => {
  await registerPack(
    stack,
    manifestOf("prober", "1.0.0", { supportedTaskTypes: ["verification"], providedTools: [] }),
  );
  await publish(stack, "1.0.0", "2h");
  await beat(stack);
  for (let count = 0; count < 3; count += 1) await reportNonsense(stack);
  await page.goto("/instances");
  const row = page.getByRole("listitem").filter({ hasText: "prober-1" });
  await expect(row).toContainText("Quarantined since");
  await expect(row).toContainText(/By the policy it may work again, on probation, from .*\./);
  await expectFit(page);
  await publish(stack, "1.1.0", "1s");
  await expect(row).toContainText(/On probation since .*: the next valid result ends it/, {
    timeout: 20_000,
  });
  await expect(row).toContainText("Free");
  await expectFit(page);
  await publish(stack, "1.2.0", "2h");
  await reportNonsense(stack);
  await expect(row).toContainText(/By the policy it may work again/);
  await row.getByRole("button", { name: "Keep out" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Not before its disk is replaced.");
  await page.getByRole("dialog").getByRole("button", { name: "Keep out" }).click();
  await expect(row).toContainText("Not before its disk is replaced.");
  await expect(row).not.toContainText("By the policy it may work again");
  await expect(row.getByRole("button", { name: "Keep out" })).toHaveCount(0);
  await expectFit(page);
  await page.goto("/policies/1.1.0");
  await page.getByRole("link", { name: "Edit as a new version" }).click();
  await expect(page.getByLabel("Probation after a quarantine of")).toHaveValue("1s");
  await page.goto("/audit?q=probation");
  await expect(page.getByText("restored on probation instance prober-1 of prober")).toBeVisible();
});
