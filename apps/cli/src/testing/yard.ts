/** What a dev session reads: packs, policy and templates, and programs that do as the task's title says. */
export const packText = (packId: string, taskTypes: readonly string[]) => `packId: ${packId}
packVersion: 1.0.0
capabilitySchemaVersion: 1.0.0
safetyTier: RISK_TIER_CRITICAL
supportedTaskTypes: [${taskTypes.join(", ")}]
interface:
  supportedSchemaVersions: ["^1.0.0"]
  acceptedRiskTiers: [RISK_TIER_LOW, RISK_TIER_NORMAL, RISK_TIER_CRITICAL]
`;

const logged = `
import { appendFileSync } from "node:fs";
let text = "";
for await (const part of process.stdin) text += part;
appendFileSync("runs.log", "begin " + JSON.stringify(process.env) + "\\n");
await new Promise((resolve) => setTimeout(resolve, 50));
`;

export const agentProgram = `${logged}
const { protocolVersion, trace, execution, contract } = JSON.parse(text);
const fails = contract.title === "Ask me";
const status = fails
  ? { outcome: "OUTCOME_NON_RETRYABLE_FAILURE", confidence: "CONFIDENCE_CONFIDENT", summary: "no", failureCode: "NO", failureReason: "no" }
  : { outcome: "OUTCOME_SUCCESS", confidence: "CONFIDENCE_CONFIDENT", summary: "built" };
const items = [{ type: "EVIDENCE_TYPE_TEST", command: "true", passed: true, output: "ok" }];
const { dispatchId, attemptNumber } = execution;
appendFileSync("runs.log", "end\\n");
console.log(JSON.stringify({ protocolVersion, trace, dispatchId, attemptNumber, status, evidence: { items: { items } } }));
`;

/** As a language model would: it reads a prompt with the protocol in it, and says something around its answer. */
export const modelProgram = `${logged}
const asked = text.includes("SYSTEM PROTOCOL: RESPONSE FORMAT INSTRUCTIONS");
appendFileSync("runs.log", "end\\n");
console.log("Here you are:");
console.log(JSON.stringify({ thought: "I looked", status: asked ? "success" : "failure", data: {}, message: "Looks good" }));
`;

export const devPolicy = `routing_policy:
  version: "1.0.0"
  routes:
    - { task_type: build, allowed_pack_ids: [builder], fallback_pack_id: null }
    - { task_type: review, allowed_pack_ids: [reviewer], fallback_pack_id: null }
    - { task_type: audit, allowed_pack_ids: [reviewer], fallback_pack_id: null }
  admission:
    max_global_queue_depth: 50
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 1, window: "60s", half_open_after: "120s" }
  defaults: { max_candidate_agents: 3, require_healthy: true }
`;

export const devTemplates = `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: diamond
      name: Build, review and audit
      stages:
        - { stage_id: build, task_type: build, required: true }
        - { stage_id: review, task_type: review, required: true, depends_on_stages: [build] }
        - { stage_id: audit, task_type: audit, required: true, depends_on_stages: [build] }
        - { stage_id: ship, task_type: build, required: true, depends_on_stages: [review, audit] }
      policy: { max_total_retries: 2, max_rejections: 2, pipeline_deadline: "50ms", failure_strategy: PAUSE }
`;
