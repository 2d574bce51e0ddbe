import { type Agent, evidenceFrom, manifestFromJson, startAgent, succeeded } from "@signalbox/agent-sdk";
import { expect } from "@playwright/test";
import { manifestOf } from "./rest.ts";
import type { Stack } from "./stack.ts";

export const capability = "consult.align";

const policy = `# Who may be consulted.
routing_policy:
  version: "1.0.0"
  routes:
    - task_type: ${capability}
      allowed_pack_ids: [adviser]
      fallback_pack_id: null
  admission:
    max_global_queue_depth: 50
    max_per_pack_concurrent: 4
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "30s" }
  defaults:
    max_candidate_agents: 3
    require_healthy: true
sap_policy:
  principles:
    - principle: blueprint_thinking
`;

type Asking = Pick<Stack, "origin" | "key">;

/** An adviser at work, whom programs consult by tasks of SAP V2.0. */
export type Consulting = {
  /** Submits a task, and waits until it is over. */
  readonly consult: (topic: string, territory: string) => Promise<{ taskId: string; status: string }>;
  /** What the adviser was told beside the task, the last of all. */
  readonly told: () => string;
  readonly stop: () => Promise<void>;
};

type Asked = { readonly capability: string; readonly topic: string; readonly territory: string };

async function send({ origin, key }: Asking, path: string, body: string, type: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  const answer = await fetch(origin + path, { method: "POST", headers, body });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
}

/** Submits a task of SAP V2.0 as a program does, and waits until it is over. */
export async function consult(asking: Asking, { capability: asked, topic, territory }: Asked) {
  const taskId = crypto.randomUUID();
  const task = {
    protocolVersion: "2.0",
    taskId,
    correlationId: crypto.randomUUID(),
    issuedAt: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    issuer: { agentId: "gateway", agentKind: "system" },
    target: { capability: asked },
    constitutionalContext: {
      pressureLevel: "instant",
      principles: ["blueprint_thinking", "kindness"],
      territory,
      cachePolicy: { mode: "prefer" },
    },
    payload: { topic },
  };
  await send(asking, "/v1/sap/tasks", JSON.stringify(task), "application/json");
  const status = async (): Promise<string> => {
    const answer = await fetch(`${asking.origin}/v1/sap/tasks/${taskId}/result`, {
      headers: { authorization: `Bearer ${asking.key}` },
    });
    const result: { status: string } = await answer.json();
    return result.status;
  };
  await expect.poll(status, { timeout: 20_000 }).not.toMatch(/QUEUED|RUNNING/);
  return { taskId, status: await status() };
}

export async function startConsulting({ origin, key }: Asking): Promise<Consulting> {
  let told = "";
  const agent: Agent = await startAgent({
    url: origin,
    key,
    pack: manifestFromJson(
      JSON.stringify(manifestOf("adviser", "1.0.0", { supportedTaskTypes: [capability] })),
    ),
    instanceId: "adviser-1",
    capacity: 4,
    timing: { heartbeatEveryMs: 1_000, leaseWaitSeconds: 5, drainWithinMs: 500 },
    work: async ({ envelope }) => {
      told = envelope.contextIn?.sharedContext ?? "";
      return {
        ...succeeded({
          summary: "It is answered.",
          evidence: [evidenceFrom({ command: "true", output: "ok", exitCode: 0 })],
        }),
        response: {
          status: "success",
          data: { answer: `About ${JSON.stringify(envelope.inputs?.["topic"])}` },
          message: "",
        },
      };
    },
  });
  await send({ origin, key }, "/v1/routing-policies", policy, "application/yaml");
  await send({ origin, key }, "/v1/routing-policies/1.0.0/publish", "{}", "application/json");
  return {
    told: () => told,
    stop: () => agent.drain(),
    consult: (topic, territory) => consult({ origin, key }, { capability, topic, territory }),
  };
}
