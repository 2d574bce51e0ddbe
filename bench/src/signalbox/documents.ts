/** One task type, one pack, and limits that nothing here comes near: admission is decided, and never refuses. */
export const routingPolicy = `
routing_policy:
  version: "1.0.0"
  routes:
    - task_type: "empty"
      allowed_pack_ids: ["bench"]
      preferred_pack_id: "bench"
      min_risk_tier: RISK_TIER_LOW
      fallback_pack_id: null
  admission:
    max_global_queue_depth: 1000000
    max_per_pack_concurrent: 1000000
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "120s" }
  defaults:
    fallback_pack_id: null
    max_candidate_agents: 3
    require_healthy: true
`;

/** Three stages in a row that carry on what the one before made, as the specification's own template does. */
export const pipelineTemplates = `
pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: "three-stages"
      name: "Three stages"
      stages:
        - stage_id: "first"
          task_type: "empty"
          required: true
          context_propagation: { mode: NONE }
        - stage_id: "second"
          task_type: "empty"
          required: true
          depends_on_stages: ["first"]
          context_propagation: { mode: PREVIOUS, carry_artifacts: true, carry_decisions: true, carry_risks: true }
        - stage_id: "third"
          task_type: "empty"
          required: true
          depends_on_stages: ["second"]
          context_propagation: { mode: CUMULATIVE, carry_artifacts: true, carry_decisions: true, carry_risks: true }
      policy:
        max_total_retries: 4
        max_rejections: 2
        pipeline_deadline: "30m"
        failure_strategy: PAUSE
`;

export const STAGES = 3;
export const LAST_STAGE = "third";
export const PACK = "bench";
export const TEMPLATE = "three-stages";
