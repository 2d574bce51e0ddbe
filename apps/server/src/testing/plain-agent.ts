import { z } from "zod";
import type { RestClient } from "./rest-client.ts";

export const packId = "plain-dev";

/** An agent that knows the documents and nothing of our code. */
export const manifest = {
  packId,
  packVersion: "1.0.0",
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  safetyTier: "RISK_TIER_CRITICAL",
  supportedTaskTypes: ["build", "review"],
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
  },
};

export const policy = `
routing_policy:
  version: "1.0.0"
  routes:
    - task_type: build
      allowed_pack_ids: [${packId}]
      fallback_pack_id: null
    - task_type: review
      allowed_pack_ids: [${packId}]
      fallback_pack_id: null
  admission:
    max_global_queue_depth: 1000
    max_per_pack_concurrent: 100
    circuit_breaker: { error_threshold: 100, window: "60s", half_open_after: "1s" }
  defaults:
    max_candidate_agents: 3
    require_healthy: false
`;

export const templates = `
pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: build-and-review
      name: Build and review
      stages:
        - stage_id: build
          task_type: build
          required: true
          context_propagation: { mode: NONE }
          handoff_policy: { retry: { max_attempts: 1 } }
        - stage_id: review
          task_type: review
          required: true
          depends_on_stages: [build]
          context_propagation: { mode: PREVIOUS, carry_artifacts: true }
          handoff_policy: { retry: { max_attempts: 1 } }
      policy:
        max_total_retries: 2
        max_rejections: 2
        pipeline_deadline: "30m"
        failure_strategy: PAUSE
`;

export const task = {
  templateId: "build-and-review",
  contract: { taskId: "TASK-1", title: "Say hello", acceptanceCriteria: ["It says hello"] },
};

const envelopeSchema = z.looseObject({
  protocolVersion: z.looseObject({ schemaVersion: z.string() }),
  trace: z.looseObject({ traceId: z.string() }),
  execution: z.looseObject({ dispatchId: z.string(), attemptNumber: z.number(), idempotencyKey: z.string() }),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** A success with evidence that passed, as the contract's JSON. */
export const success = ({ protocolVersion, trace, execution }: Envelope) => ({
  protocolVersion,
  trace,
  status: { outcome: "OUTCOME_SUCCESS", confidence: "CONFIDENCE_CONFIDENT", summary: "It says hello." },
  evidence: {
    items: { items: [{ type: "EVIDENCE_TYPE_TEST", command: "true", passed: true, output: "ok" }] },
  },
  dispatchId: execution.dispatchId,
  attemptNumber: execution.attemptNumber,
});

export const failure = (envelope: Envelope) => ({
  ...success(envelope),
  status: {
    outcome: "OUTCOME_NON_RETRYABLE_FAILURE",
    confidence: "CONFIDENCE_CONFIDENT",
    summary: "It cannot be done.",
    failureCode: "NO_VOICE",
    failureReason: "There is nobody to say hello to.",
  },
  evidence: { noneWithReason: "nothing was run" },
});

/** The instance's side of the protocol. */
export function plainAgent(call: RestClient, instanceId = "plain-dev-1", ownPackId = packId) {
  const lease = (more: object = {}) =>
    call("POST", "/v1/leases", {
      body: { packId: ownPackId, instanceId, maxTasks: 1, waitSeconds: 10, ...more },
    });
  return {
    instanceId,
    lease,
    beat: () =>
      call("POST", "/v1/heartbeats", {
        body: {
          packId: ownPackId,
          instanceId,
          health: { status: "HEALTH_STATUS_HEALTHY" },
          leaseTtl: "60s",
        },
      }),
    take: async (): Promise<Envelope> => envelopeSchema.parse((await lease()).json.at("envelopes", 0)),
    report: (result: { dispatchId: string }) =>
      call("POST", `/v1/dispatches/${result.dispatchId}/result`, { body: result }),
  };
}

export const stageOf = ({ execution }: Envelope): string => execution.idempotencyKey.split("/").at(-1) ?? "";

/** All that a task needs before it can be submitted. */
export async function prepare(call: RestClient): Promise<void> {
  const yaml = { "content-type": "application/yaml" };
  const statuses = [
    await call("POST", "/v1/packs", { body: manifest }),
    await call("POST", "/v1/routing-policies", { body: policy, headers: yaml }),
    await call("POST", "/v1/routing-policies/1.0.0/publish"),
    await call("POST", "/v1/pipeline-templates", { body: templates, headers: yaml }),
    await call("POST", "/v1/pipeline-templates/1.0.0/publish"),
  ].map(({ status }) => status);
  if (statuses.some((status) => status > 201))
    throw new Error(`preparing was answered ${statuses.join(", ")}`);
}
