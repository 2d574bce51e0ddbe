/** What the examples have in common, so that one can be followed by the next. */
export const pipelineId = "0199a7c0-5f2e-7b31-8c44-3b1c5a2d4e6f";
export const attachmentId = "0199a1b2-0000-7000-8000-000000000000";
export const dispatchId = `${pipelineId}-d0.1`;
export const escalationId = `${pipelineId}-e1`;
export const memberId = "0199a7c0-5f2e-7b31-8c44-0000000000a1";
export const keyId = "0199a7c0-5f2e-7b31-8c44-0000000000a2";
export const sessionId = "0199a7c0-5f2e-7b31-8c44-0000000000a3";
export const packId = "senior-ts-dev";
export const packVersion = "1.4.0";
export const instanceId = "senior-ts-dev-7f9c";
const taskType = "feature-implementation";

export const manifest = {
  packId,
  packVersion,
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  safetyTier: "RISK_TIER_NORMAL",
  supportedTaskTypes: [taskType],
  providedTools: ["git", "npm"],
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
    maxConcurrentTasks: 16,
    maxTaskDuration: "1800s",
  },
};

export const heartbeat = {
  packId,
  instanceId,
  health: { status: "HEALTH_STATUS_HEALTHY" },
  capacity: { maxTasks: 16 },
  leaseTtl: "60s",
};

const protocolVersion = {
  schemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  capabilitySchemaVersion: "1.0.0",
};

export const result = {
  protocolVersion,
  trace: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7", tenantId: "default" },
  status: {
    outcome: "OUTCOME_SUCCESS",
    confidence: "CONFIDENCE_CONFIDENT",
    summary: "The command greets by name.",
  },
  evidence: {
    items: {
      items: [{ type: "EVIDENCE_TYPE_TEST", command: "npm test", passed: true, output: "12 passed" }],
    },
  },
  dispatchId,
  attemptNumber: 1,
};

export const handoff = {
  packId: "security-reviewer",
  reason: "The change touches how sign-in works.",
  contextOut: { risksIdentified: ["The session's lifetime is read in two places."] },
};

const timestamp = "2026-02-21T09:30:00.000Z";

export const turn = {
  turn_index: 0,
  agent_id: "developer",
  role: "developer",
  content: {
    thought: "The greeting is built where the arguments are read, so the name can be used there.",
    action: "Change the greeting and add a test for it.",
    observation: "The command prints Hello, World! whatever it is given.",
  },
  metadata: {
    version: "1.0.0",
    task_id: "SHOP-142",
    timestamp,
    confidence: 0.85,
    estimated_complexity: "low",
  },
};

export const events = [
  {
    event_id: "3f0b8f6e-5d0f-4c9e-9b1a-7d2f4c1e8a01",
    session_id: dispatchId,
    sequence: 0,
    payload: {
      type: "THOUGHT_STREAM",
      agent_id: "developer",
      turn_index: 0,
      chunk: "The greeting is built where the arguments are read.",
      is_final: true,
    },
  },
  {
    event_id: "3f0b8f6e-5d0f-4c9e-9b1a-7d2f4c1e8a02",
    session_id: dispatchId,
    sequence: 1,
    turn_index: 0,
    payload: { type: "SANDBOX_PULSE", line: "12 passed", masked: false, timestamp },
  },
];

export const task = {
  taskType,
  contract: {
    taskId: "SHOP-142",
    title: "Greet by name",
    acceptanceCriteria: ["`hello Ada` prints: Hello, Ada!"],
  },
};

export const policyText = `routing_policy:
  version: "1.0.0"
  routes:
    - task_type: ${taskType}
      allowed_pack_ids: [${packId}]
      fallback_pack_id: null
  admission:
    max_global_queue_depth: 1000
    max_per_pack_concurrent: 100
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "30s" }
  defaults:
    max_candidate_agents: 3
    require_healthy: true
`;

export const templatesText = `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: feature
      name: A feature
      stages:
        - stage_id: build
          task_type: ${taskType}
          required: true
          context_propagation: { mode: NONE }
          handoff_policy: { retry: { max_attempts: 2 } }
      policy:
        max_total_retries: 3
        max_rejections: 2
        pipeline_deadline: "2h"
        failure_strategy: PAUSE
`;

export const sapTaskId = "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a";
export const holdId = "0199a7c0-5f2e-7b31-8c44-0000000000a5";
export const proposalId = "0199a7c0-5f2e-7b31-8c44-0000000000a4";
export const correlationId = "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11";

/** SAP V2.0 §4.1, with the pressureLevel that its own example lacks (D18). */
export const sapTask = {
  protocolVersion: "2.0",
  taskId: sapTaskId,
  correlationId,
  issuedAt: "2026-02-21T09:30:00Z",
  issuer: { agentId: "gateway", agentKind: "system", name: "The gateway" },
  target: { capability: taskType },
  constitutionalContext: {
    pressureLevel: "instant",
    principles: ["blueprint_thinking"],
    pressure: { blueprint_thinking: 41 },
    objectives: ["Greet by name"],
    constraints: ["No PII"],
    territory: "EUFM",
    cachePolicy: { mode: "prefer", maxAgeSec: 86_400, mustAlign: true },
  },
  payload: { topic: "Greeting" },
  outputContract: { format: "json", schema: { type: "object" } },
};
