import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { expect, ownStack } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";

const { signedInTest: test } = ownStack("alerts");

const policy = `routing_policy:
  version: "1.0.0"
  routes:
    - { task_type: verification, allowed_pack_ids: [prober], fallback_pack_id: null }
  admission:
    max_global_queue_depth: 10
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 1, window: "60s", half_open_after: "300s" }
  defaults: { max_candidate_agents: 3, require_healthy: true }
`;
const ref = { packId: "prober", instanceId: "prober-1" };

test("a breaker that opens is an alert of the page and of the record", async ({ page, stack }) => {
  const ask = async (path: string, body: string | object) => {
    const isText = typeof body === "string";
    const answer = await fetch(stack.origin + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${stack.key}`,
        "content-type": isText ? "application/yaml" : "application/json",
      },
      body: isText ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    expect(answer.ok, `${path}: ${text}`).toBe(true);
    return text;
  };
  await registerPack(
    stack,
    manifestOf("prober", "1.0.0", { supportedTaskTypes: ["verification"], providedTools: [] }),
  );
  await ask("/v1/routing-policies", policy);
  await ask("/v1/routing-policies/1.0.0/publish", {});
  await ask("/v1/heartbeats", { ...ref, health: { status: "HEALTH_STATUS_HEALTHY" }, leaseTtl: "300s" });
  const contract = { taskId: "PROBE-1", title: "Check", acceptanceCriteria: ["it passes"] };
  await ask("/v1/tasks", { taskType: "verification", contract });
  const leased: {
    envelopes: { execution: object & { dispatchId: string }; protocolVersion: object; trace: object }[];
  } = JSON.parse(await ask("/v1/leases", { ...ref, maxTasks: 1, waitSeconds: 20 }));
  const [envelope] = leased.envelopes;
  if (envelope === undefined) throw new Error("nothing came");
  const { execution, protocolVersion, trace } = envelope;
  await page.goto("/alerts");
  const happened = page.getByRole("list", { name: "Alerts" });
  await ask(`/v1/dispatches/${encodeURIComponent(execution.dispatchId)}/result`, {
    protocolVersion,
    trace,
    dispatchId: execution.dispatchId,
    attemptNumber: 1,
    status: {
      outcome: "OUTCOME_NON_RETRYABLE_FAILURE",
      confidence: "CONFIDENCE_CONFIDENT",
      failureCode: "BROKEN",
    },
    evidence: { noneWithReason: "It is broken." },
  });
  // The stream tells of it: nobody asks anew.
  await expect(happened).toContainText("A pack keeps failing", { timeout: 30_000 });
  await expect(happened).toContainText("prober failed at verification so often");
  for (const theme of ["dark", "light"] as const) await expectNoViolation(page, theme);
  await expectNoSidewaysScroll(page, [2560, 360]);
  await page.goto("/audit?eventType=ALERT_FIRED");
  await expect(page.getByText("fired the alert breaker-open, SEV2")).toBeVisible();
});
