import { z } from "zod";
import type { ServerProcess } from "./server-process.ts";

const packId = "cli-dev";

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

export const policyText = (version: string) => `routing_policy:
  version: "${version}"
  routes:
    - task_type: build
      allowed_pack_ids: [${packId}]
      fallback_pack_id: null
    - task_type: review
      allowed_pack_ids: [${packId}]
      fallback_pack_id: null
  admission:
    max_global_queue_depth: 50
    max_per_pack_concurrent: 10
    circuit_breaker: { error_threshold: 100, window: "60s", half_open_after: "1s" }
  defaults:
    max_candidate_agents: 3
    require_healthy: false
`;

export const templatesText = `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: build-and-review
      name: Build and review
      stages:
        - stage_id: build
          task_type: build
          required: true
          context_propagation: { mode: NONE }
        - stage_id: review
          task_type: review
          required: true
          depends_on_stages: [build]
          context_propagation: { mode: PREVIOUS, carry_artifacts: true }
      policy:
        max_total_retries: 2
        max_rejections: 2
        pipeline_deadline: "30m"
        failure_strategy: PAUSE
`;

const leased = z.looseObject({
  envelopes: z.array(
    z.looseObject({
      protocolVersion: z.unknown(),
      trace: z.unknown(),
      execution: z.looseObject({ dispatchId: z.string(), attemptNumber: z.number() }),
    }),
  ),
});

const statuses = {
  success: { outcome: "OUTCOME_SUCCESS", confidence: "CONFIDENCE_CONFIDENT", summary: "It says hello." },
  failure: {
    outcome: "OUTCOME_NON_RETRYABLE_FAILURE",
    confidence: "CONFIDENCE_CONFIDENT",
    summary: "It cannot be done.",
    failureCode: "NO_VOICE",
    failureReason: "There is nobody to say hello to.",
  },
};
const evidence = {
  success: {
    items: { items: [{ type: "EVIDENCE_TYPE_TEST", command: "true", passed: true, output: "ok" }] },
  },
  failure: { noneWithReason: "nothing was run" },
};

/** An instance of the pack that takes what comes and always answers alike, until it is stopped. */
export function workAs(server: ServerProcess, answer: "success" | "failure") {
  const stopped = new AbortController();
  const work = async () => {
    const instance = { packId, instanceId: "cli-dev-1" };
    const health = { status: "HEALTH_STATUS_HEALTHY" };
    await server.call("POST", "/v1/heartbeats", { ...instance, health, leaseTtl: "600s" });
    while (!stopped.signal.aborted) {
      const answered = await server.call("POST", "/v1/leases", { ...instance, maxTasks: 1, waitSeconds: 1 });
      for (const { protocolVersion, trace, execution } of leased.parse(await answered.json()).envelopes) {
        const { dispatchId, attemptNumber } = execution;
        await server.call("POST", `/v1/dispatches/${dispatchId}/result`, {
          protocolVersion,
          trace,
          dispatchId,
          attemptNumber,
          status: statuses[answer],
          evidence: evidence[answer],
        });
      }
    }
  };
  const worked = work();
  return {
    stop: async () => {
      stopped.abort();
      await worked;
    },
  };
}
